import { Type } from '@guildhall/rules/type'
import { named, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { mayWrite } from '../campaigns/membership.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { getMember, joinAsPlayer, listMembers, removeMember, setMember } from './queries.ts'
import { mayManageMembers } from './rules.ts'
import { Member, MemberSet } from './schema.ts'

const all = below(campaign.path, 'members')
const member = below(all, '{member_id}')

export const members = resource(
  {
    Members: 'The users who take part in a campaign, as storyteller or as player',
  },
  [
    operation({
      id: 'members.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the members of a campaign',
      query: Type.Object(named),
      reply: [200, Paged(Member)],
      run: ({ db, params, query }) => listMembers(db, params.company_id, params.campaign_id, query),
    }),
    operation({
      id: 'members.join',
      method: 'POST',
      path: below(campaign.path, 'join'),
      needs: { key: 'USER', may: mayWrite, outsiders: true },
      summary: 'Join a campaign',
      description: 'Makes the acting user a member with the role PLAYER. A member stays what they are.',
      reply: [200, Member],
      emits: ['member.added'],
      run: ({ db, actor, campaign }) => joinAsPlayer(db, actor, campaign.id),
    }),
    operation({
      id: 'members.leave',
      method: 'POST',
      path: below(campaign.path, 'leave'),
      alone: true,
      needs: { key: 'USER', outsiders: true },
      summary: 'Leave a campaign',
      description: 'The characters of the acting user stay in the campaign and remain theirs.',
      reply: [204],
      emits: ['member.removed'],
      conflicts: { owner_is_member: 'The owner is always a member' },
      run: ({ db, actor, campaign }) => removeMember(db, actor.company_id, campaign.id, actor.id),
    }),
    operation({
      id: 'members.get',
      method: 'GET',
      path: member,
      needs: { key: 'USER' },
      summary: 'Get a member of a campaign',
      description: '`member_id` is the id of the user.',
      reply: [200, Member],
      run: ({ db, params }) => getMember(db, params.company_id, params.campaign_id, params.member_id),
    }),
    operation({
      id: 'members.set',
      method: 'PUT',
      path: member,
      needs: { key: 'USER', may: mayManageMembers },
      summary: 'Add a user to a campaign, or change their role in it',
      description: '`member_id` is the id of the user.',
      body: MemberSet,
      reply: [200, Member],
      emits: ['member.added', 'member.changed'],
      conflicts: {
        role_too_low: 'A STORYTELLER of a campaign needs the role STORYTELLER or ADMIN in the company',
        owner_is_member: "The owner's role in the campaign follows from their role in the company",
      },
      run: ({ db, params, body }) => setMember(db, params.company_id, params.campaign_id, params.member_id, body.role),
    }),
    operation({
      id: 'members.delete',
      method: 'DELETE',
      path: member,
      alone: true,
      needs: { key: 'USER', may: mayManageMembers },
      summary: 'Remove a user from a campaign',
      description: '`member_id` is the id of the user. Their characters stay in the campaign and remain theirs.',
      reply: [204],
      emits: ['member.removed'],
      conflicts: { owner_is_member: 'The owner is always a member' },
      run: ({ db, params }) => removeMember(db, params.company_id, params.campaign_id, params.member_id),
    }),
  ],
)
