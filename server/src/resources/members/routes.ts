import { Type } from 'typebox'
import { named, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { getMember, listMembers, removeMember, setMember } from './queries.ts'
import { Member, MemberSet } from './schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/members'
const ONE = `${ALL}/{member_id}` as const

export const members = [
  operation({
    id: 'members.list',
    method: 'GET',
    path: ALL,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'List the members of a campaign',
    query: Type.Object(named),
    reply: [200, Paged(Member)],
    run: ({ db, params, query }) => listMembers(db, params.company_id, params.campaign_id, query),
  }),
  operation({
    id: 'members.get',
    method: 'GET',
    path: ONE,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'Get a member of a campaign',
    description: '`member_id` is the id of the user.',
    reply: [200, Member],
    run: ({ db, params }) => getMember(db, params.company_id, params.campaign_id, params.member_id),
  }),
  operation({
    id: 'members.set',
    method: 'PUT',
    path: ONE,
    within: [campaign],
    needs: { key: 'USER', mayHere: ({ campaign }) => campaign.tells, who: 'Its storytellers and ADMINs may.' },
    summary: 'Add a user to a campaign, or change what they are in it',
    description: '`member_id` is the id of the user.',
    body: MemberSet,
    reply: [200, Member],
    emits: ['member.added', 'member.changed'],
    conflicts: {
      role_too_low: 'A STORYTELLER must be STORYTELLER or ADMIN in the company',
      owner_stays: "The owner's role follows from their role in the company",
    },
    run: ({ db, params, body }) => setMember(db, params.company_id, params.campaign_id, params.member_id, body.role),
  }),
  operation({
    id: 'members.delete',
    method: 'DELETE',
    path: ONE,
    within: [campaign],
    needs: { key: 'USER', mayHere: ({ campaign }) => campaign.tells, who: 'Its storytellers and ADMINs may.' },
    summary: 'Take a user out of a campaign',
    description: '`member_id` is the id of the user. Their characters stay, and stay theirs.',
    reply: [204],
    emits: 'member.removed',
    conflicts: { owner_stays: 'The owner is always a member' },
    run: ({ db, params }) => removeMember(db, params.company_id, params.campaign_id, params.member_id),
  }),
]
