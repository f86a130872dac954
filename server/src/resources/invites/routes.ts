import { Type } from '@guildhall/rules/type'
import { modifiable, Paged, page } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { mayManageMembers } from '../members/rules.ts'
import { Member } from '../members/schema.ts'
import { acceptInvite, createInvite, getInvite, listInvites, revokeInvite } from './queries.ts'
import { Invite, InviteAccept, InviteCreate, IssuedInvite } from './schema.ts'

const all = below(campaign.path, 'invites')
const one = below(all, '{invite_id}')
const needs = { key: 'USER', may: mayManageMembers } as const
type Ids = { company_id: string; campaign_id: string; invite_id: string }
const scopeOf = ({ company_id, campaign_id, invite_id }: Ids) => ({ company_id, campaign_id, id: invite_id })

export const invites = resource(
  {
    Invites: 'Invitations to a campaign. Whoever has the code of one can become a member',
  },
  [
    operation({
      id: 'invites.list',
      method: 'GET',
      path: all,
      needs,
      summary: 'List the invites of a campaign',
      description: 'Also lists invites that have expired or are used up, until they are deleted.',
      query: Type.Object({ ...page, ...modifiable }),
      reply: [200, Paged(Invite)],
      run: ({ db, params: { company_id, campaign_id }, query }) => listInvites(db, { company_id, campaign_id }, query),
    }),
    operation({
      id: 'invites.create',
      method: 'POST',
      path: all,
      needs,
      summary: 'Make an invite',
      description: 'The code is shown only in the reply. The service stores its hash.',
      body: InviteCreate,
      reply: [201, IssuedInvite],
      secret: true,
      emits: ['invite.created'],
      run: ({ db, actor, campaign, body }) => createInvite(db, actor, campaign.id, body),
    }),
    operation({
      id: 'invites.get',
      method: 'GET',
      path: one,
      needs,
      summary: 'Get an invite',
      reply: [200, Invite],
      run: ({ db, params }) => getInvite(db, scopeOf(params)),
    }),
    operation({
      id: 'invites.delete',
      method: 'DELETE',
      path: one,
      needs,
      summary: 'Revoke an invite',
      description: 'The code stops working immediately. Users who accepted it stay members.',
      reply: [204],
      emits: ['invite.deleted'],
      run: ({ db, params }) => revokeInvite(db, scopeOf(params)),
    }),
    operation({
      id: 'invites.accept',
      method: 'POST',
      path: below(USER, 'invites', 'accept'),
      needs: { key: 'USER' },
      summary: 'Accept an invite',
      description:
        'Makes the acting user a member of the campaign with the role of the invite. A member who has this role or a higher one already stays what they are, and takes no use of the invite.',
      body: InviteAccept,
      reply: [200, Member],
      emits: ['member.added', 'member.changed'],
      conflicts: {
        invite_expired: 'The invite has expired',
        invite_used_up: 'The invite has been used as often as it allows',
        role_too_low: 'A STORYTELLER of a campaign needs the role STORYTELLER or ADMIN in the company',
      },
      run: ({ db, actor, body }) => acceptInvite(db, actor, body.code),
    }),
  ],
)
