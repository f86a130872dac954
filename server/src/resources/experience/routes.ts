import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { award, refuseReversal, reverse, spend } from './ledger.ts'
import { getEntry, listBalances, listEntries, ownBalances } from './queries.ts'
import { mayAward, maySpend } from './rules.ts'
import { Award, Awarded, Balance, BalancesQuery, EntriesQuery, Entry, OwnBalances, Reverse, Spend } from './schema.ts'

const inCampaign = below(campaign.path, 'experience')
const entries = below(inCampaign, 'entries')
const entry = below(entries, '{entry_id}')

export const experience = resource(
  {
    Experience: 'A ledger of the experience that users earn and spend',
    'Experience entries': 'The entries of the ledger. An entry never changes; another one can reverse it',
  },
  [
    operation({
      id: 'experience.listOwn',
      method: 'GET',
      path: below(USER, 'experience'),
      needs: { key: 'USER' },
      summary: 'List your experience in each campaign',
      query: BalancesQuery,
      reply: [200, OwnBalances],
      run: ({ db, actor, query }) => ownBalances(db, actor, query),
    }),
    operation({
      id: 'experience.list',
      method: 'GET',
      path: inCampaign,
      needs: { key: 'USER' },
      summary: 'List the experience of all users in a campaign',
      description: 'Lists every user who has ever been awarded experience in the campaign.',
      query: BalancesQuery,
      reply: [200, Paged(Balance)],
      run: ({ db, actor, campaign, query }) => listBalances(db, { actor, campaign }, query),
    }),
    operation({
      id: 'experience.award',
      method: 'POST',
      path: below(inCampaign, 'awards'),
      needs: { key: 'USER', may: mayAward },
      summary: 'Award experience',
      description: 'Awards the same amount to each user. If one award fails, none is made.',
      body: Award,
      reply: [201, Awarded],
      emits: ['experience.awarded'],
      run: ({ db, actor, campaign, body }) => award(db, { actor, campaign }, body),
    }),
    operation({
      id: 'experience.spend',
      method: 'POST',
      path: below(inCampaign, 'spends'),
      needs: { key: 'USER', may: maySpend },
      summary: 'Spend experience',
      description:
        'With a `trait`, also raises that trait of the character in the same transaction: either both happen or neither does. A trait can only be raised.',
      body: Spend,
      reply: [201, Entry],
      emits: ['experience.spent', 'character.updated'],
      location: below(entries, '{id}'),
      conflicts: {
        not_enough_experience: 'The amount exceeds the available experience',
        not_their_character: 'Another user plays the character',
        trait_not_raised: 'The trait already has this value or a higher one',
      },
      run: ({ db, actor, campaign, body }) => spend(db, { actor, campaign }, body),
    }),
    operation({
      id: 'experienceEntries.list',
      method: 'GET',
      path: entries,
      needs: { key: 'USER' },
      summary: 'List the ledger entries of a campaign',
      query: EntriesQuery,
      reply: [200, Paged(Entry)],
      run: ({ db, actor, campaign, query }) => listEntries(db, { actor, campaign }, query),
    }),
    operation({
      id: 'experienceEntries.get',
      method: 'GET',
      path: entry,
      needs: { key: 'USER' },
      summary: 'Get a ledger entry',
      reply: [200, Entry],
      run: ({ db, actor, campaign, params }) => getEntry(db, { actor, campaign }, params.entry_id),
    }),
    operation({
      id: 'experienceEntries.reverse',
      method: 'POST',
      path: below(entry, 'reverse'),
      needs: { key: 'USER' },
      summary: 'Reverse an award or a spend',
      description:
        'Writes the opposite entry. An entry can be reversed once. The storytellers of the campaign and ADMINs may reverse any entry; players may reverse their own spends within 24 hours. If the spend raised a trait, the trait returns to its former value.',
      body: Reverse,
      reply: [201, Entry],
      emits: ['experience.reversed', 'character.updated'],
      location: below(entries, '{id}'),
      conflicts: {
        already_reversed: 'The entry is already reversed',
        not_reversible: 'The entry is itself a reversal',
        award_spent: 'The awarded experience is already spent',
        trait_changed: 'The trait no longer has the value that the spend gave it',
        character_archived: 'The character whose trait was raised is archived',
      },
      recheck: ({ db, actor, campaign, params }) => refuseReversal(db, { actor, campaign }, params.entry_id),
      run: ({ db, actor, campaign, params, body }) => reverse(db, { actor, campaign }, params.entry_id, body),
    }),
  ],
)
