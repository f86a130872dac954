import { type Static, Type } from '@guildhall/rules/type'
import { Enum, Id, Name, stored } from '../../core/fields.ts'

const MEMBER_ROLES = ['STORYTELLER', 'PLAYER'] as const
export type MemberRole = (typeof MEMBER_ROLES)[number]
export const MemberRole = (description: string) => Enum('MemberRole', MEMBER_ROLES, description, 'PLAYER')
const role = MemberRole("The user's role in the campaign")

export const Member = Type.Object(
  {
    id: Id("The user's identifier"),
    company_id: Id('Company identifier'),
    campaign_id: Id('Campaign identifier'),
    user_id: Id("The user's identifier"),
    name: Name('Name of the user', 'Mina Harker'),
    role,
    ...stored,
  },
  { title: 'Member', description: 'A user who takes part in a campaign' },
)
export type Member = Static<typeof Member>

export const MemberSet = Type.Object({ role }, { title: 'MemberSet' })
