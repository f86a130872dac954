import { type Static, Type } from '@guildhall/rules/type'
import { Id, Int, Nullable, stored, Text, Timestamp, WithDefault } from '../../core/fields.ts'
import { MemberRole } from '../members/schema.ts'

const MAX_USES = 10_000
const WEEK_SECONDS = 604_800
const YEAR_SECONDS = 31_536_000

const role = MemberRole('The role in the campaign that the invite gives')
const max_uses = Nullable(Int(1, MAX_USES, 'Number of users who may accept the invite; null for any number', 5))

export const Invite = Type.Object(
  {
    id: Id('Invite identifier'),
    company_id: Id('Owning company'),
    campaign_id: Id('The campaign to which the invite leads'),
    user_id: Id('The user who made the invite'),
    role,
    max_uses,
    uses: Int(0, MAX_USES, 'Number of users who became members by the invite'),
    date_expires: Nullable(Timestamp('When the invite stops working; null if it never does')),
    ...stored,
  },
  { title: 'Invite', description: 'An invitation to a campaign, without its code' },
)
export type Invite = Static<typeof Invite>

const code = Text(40, 'The code that users accept. It is shown only in this response: pass it on now', 'gli_4mQe8Xw1ZbN4vT6yUa3RcP')

export const IssuedInvite = Type.Object(
  { ...Invite.properties, code },
  { title: 'IssuedInvite', description: 'A new invite, including its code' },
)

export const InviteCreate = Type.Object(
  {
    role: WithDefault(role, 'PLAYER'),
    expires_in: WithDefault(
      Nullable(Int(1, YEAR_SECONDS, 'Number of seconds for which the invite works, up to a year; null for no end', WEEK_SECONDS)),
      WEEK_SECONDS,
    ),
    max_uses: WithDefault(max_uses, null),
  },
  { title: 'InviteCreate' },
)
export type InviteCreate = Static<typeof InviteCreate>

export const InviteAccept = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 100,
      'x-trim': true,
      description: 'The code of an invite',
      examples: ['gli_4mQe8Xw1ZbN4vT6yUa3RcP'],
    }),
  },
  { title: 'InviteAccept' },
)
