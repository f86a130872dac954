import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { award, refuseReversal, reverse, spend } from './ledger.ts'
import { getEntry, listBalances, listEntries, ownBalances } from './queries.ts'
import { maySpend } from './rules.ts'
import { Award, Awarded, Balance, BalancesQuery, EntriesQuery, Entry, OwnBalances, Reverse, Spend } from './schema.ts'

const USER = '/companies/{company_id}/users/{user_id}'
const ALL = `${USER}/campaigns/{campaign_id}/experience` as const
const ENTRIES = `${ALL}/entries` as const
const within = [campaign] as const

export const experience = [
  operation({
    id: 'experience.listOwn',
    method: 'GET',
    path: `${USER}/experience`,
    needs: { key: 'USER' },
    summary: 'See your experience, campaign by campaign',
    query: BalancesQuery,
    reply: [200, OwnBalances],
    run: ({ db, actor, query }) => ownBalances(db, actor, query),
  }),
  operation({
    id: 'experience.list',
    method: 'GET',
    path: ALL,
    within,
    needs: { key: 'USER' },
    summary: 'See the experience of everybody in a campaign',
    description: 'Of all users who ever earned some there.',
    query: BalancesQuery,
    reply: [200, Paged(Balance)],
    run: ({ db, actor, campaign, query }) => listBalances(db, { actor, campaign }, query),
  }),
  operation({
    id: 'experience.award',
    method: 'POST',
    path: `${ALL}/awards`,
    within,
    needs: { key: 'USER', mayHere: ({ campaign }) => campaign.tells, who: 'The storytellers of the campaign and ADMINs may.' },
    summary: 'Award experience',
    description: 'To each user the same, all or nothing.',
    body: Award,
    reply: [201, Awarded],
    emits: 'experience.awarded',
    run: ({ db, actor, campaign, body }) => award(db, { actor, campaign }, body),
  }),
  operation({
    id: 'experience.spend',
    method: 'POST',
    path: `${ALL}/spends`,
    within,
    needs: {
      key: 'USER',
      mayHere: maySpend,
      who: 'Everybody may spend their own; the storytellers of the campaign and ADMINs also for a player.',
    },
    summary: 'Spend experience',
    description: 'With a `trait`, the character has it raised at the same moment, or nothing is spent. It can only be raised.',
    body: Spend,
    reply: [201, Entry],
    emits: 'experience.spent',
    location: `${ENTRIES}/{id}`,
    conflicts: {
      not_enough_experience: 'More than is available',
      not_their_character: 'Somebody else plays the character',
      trait_not_raised: 'The trait is as high already',
    },
    run: ({ db, actor, campaign, body }) => spend(db, { actor, campaign }, body),
  }),
  operation({
    id: 'experienceEntries.list',
    method: 'GET',
    path: ENTRIES,
    within,
    needs: { key: 'USER' },
    summary: 'Read the ledger of a campaign',
    query: EntriesQuery,
    reply: [200, Paged(Entry)],
    run: ({ db, actor, campaign, query }) => listEntries(db, { actor, campaign }, query),
  }),
  operation({
    id: 'experienceEntries.get',
    method: 'GET',
    path: `${ENTRIES}/{entry_id}`,
    within,
    needs: { key: 'USER' },
    summary: 'Get an entry of the ledger',
    reply: [200, Entry],
    run: ({ db, actor, campaign, params }) => getEntry(db, { actor, campaign }, params.entry_id),
  }),
  operation({
    id: 'experienceEntries.reverse',
    method: 'POST',
    path: `${ENTRIES}/{entry_id}/reverse`,
    within,
    needs: { key: 'USER' },
    summary: 'Take back an award or a spend',
    description:
      'Writes the opposite entry, once. The storytellers of the campaign and ADMINs may; a player their own spends, for 24 hours. A trait that the spend raised goes back with it.',
    body: Reverse,
    reply: [201, Entry],
    emits: 'experience.reversed',
    location: `${ENTRIES}/{id}`,
    conflicts: {
      already_reversed: 'It was taken back before',
      not_reversible: 'It is a reversal itself',
      award_spent: 'What was awarded is spent already',
      trait_changed: 'The trait is not what the spend made of it any more',
      character_archived: 'The character of the trait is archived',
    },
    recheck: ({ db, actor, campaign, params }) => refuseReversal(db, { actor, campaign }, params.entry_id),
    run: ({ db, actor, campaign, params, body }) => reverse(db, { actor, campaign }, params.entry_id, body.reason),
  }),
]
