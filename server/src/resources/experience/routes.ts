import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, USER } from '../../http/path.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { award, refuseReversal, reverse } from './ledger.ts'
import { getEntry, listBalances, listEntries, ownBalances } from './queries.ts'
import { mayAward, maySpend } from './rules.ts'
import { Award, Awarded, Balance, BalancesQuery, EntriesQuery, Entry, MAX_RECIPIENTS, OwnBalances, Reverse, Spend } from './schema.ts'
import { refuseSpend, spend } from './spends.ts'

const inCampaign = below(campaign.path, 'experience')
const entries = below(inCampaign, 'entries')
const entry = below(entries, '{entry_id}')

export const experience = resource(
  {
    Experience: 'A ledger of the experience that users, or their characters, earn and spend',
    'Experience entries': 'The entries of the ledger. An entry never changes; another one can reverse it',
  },
  [
    operation({
      id: 'experience.listOwn',
      method: 'GET',
      path: below(USER, 'experience'),
      needs: { key: 'USER' },
      summary: 'List your experience in each campaign',
      description:
        'Where experience belongs to characters, lists a balance for each of your own characters that has ever been awarded any, unless its sheet is hidden from you. `lifetime` is the sum of all balances.',
      query: BalancesQuery,
      reply: [200, OwnBalances],
      run: ({ db, actor, query }) => ownBalances(db, actor, query),
    }),
    operation({
      id: 'experience.list',
      method: 'GET',
      path: inCampaign,
      needs: { key: 'USER' },
      summary: 'List the experience of all users or characters in a campaign',
      description:
        'Lists every user who has ever been awarded experience in the campaign, or every character if `experience_per` of the campaign is CHARACTER. Characters whose sheets are hidden from the acting user are left out, and so are their players where experience belongs to users.',
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
      description:
        'Awards the same `amount` to each of `user_ids` or to all members, or an amount of its own to each of `awards`. If one award fails, none is made. Where `experience_per` of the campaign is CHARACTER, awards go to player characters: `user_ids` is 400, and each of `awards` names a `character_id`.',
      body: Award,
      reply: [201, Awarded],
      emits: ['experience.awarded'],
      invalidFor: {
        experience_per_character: 'The request names users, but experience in this campaign belongs to characters',
        experience_per_user: 'The award names characters, but experience in this campaign belongs to users',
      },
      conflicts: {
        no_recipients: 'The campaign has no member, or no ACTIVE player character',
        too_many_recipients: `The campaign has more than ${MAX_RECIPIENTS} members, or ACTIVE player characters`,
        no_player: 'A named character is an NPC',
      },
      run: ({ db, actor, campaign, body }) => award(db, { actor, campaign }, body),
    }),
    operation({
      id: 'experience.spend',
      method: 'POST',
      path: below(inCampaign, 'spends'),
      needs: { key: 'USER', may: maySpend },
      summary: 'Spend experience',
      description:
        'With a `trait`, also raises that trait of the character in the same transaction: either both happen or neither does. A trait can only be raised. Where `experience_per` of the campaign is CHARACTER, `character_id` is required, and the experience of that character is spent. Where the campaign has a ruleset, a raise is paid at its price, step by step from the present value: `costs` of the character shows it. A price below 0 gives experience: the entry is a GAIN.',
      body: Spend,
      reply: [201, Entry],
      emits: ['experience.spent', 'experience.gained', 'character.updated', 'tracker.created', 'tracker.updated'],
      location: below(entries, '{id}'),
      invalidFor: {
        experience_per_character: 'The request names users, but experience in this campaign belongs to characters',
      },
      conflicts: {
        not_enough_experience: 'The amount exceeds the available experience',
        not_their_character: 'Another user plays the character',
        no_player: 'Experience belongs to characters, and the character is an NPC',
        trait_not_raised: 'The trait already has this value or a higher one',
        not_for_experience: 'The ruleset has no price for the trait',
        needs_not_met: 'The ruleset does not allow a step of the raise yet',
        price_changed: 'The amount is not the price of the ruleset',
      },
      recheck: ({ db, actor, campaign, body, reply }) => refuseSpend(db, { actor, campaign }, body, reply),
      run: ({ db, actor, campaign, body }) => spend(db, { actor, campaign }, body),
    }),
    operation({
      id: 'experienceEntries.list',
      method: 'GET',
      path: entries,
      needs: { key: 'USER' },
      summary: 'List the ledger entries of a campaign',
      description:
        'Leaves out the entries of characters whose sheets are hidden from the acting user, and those of their players where experience belongs to users.',
      query: EntriesQuery,
      formerly: { player_id: 'user_id' },
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
        'Writes the opposite entry. An entry can be reversed once. It moves the amount of the entry, whatever the price would be now. The storytellers of the campaign and ADMINs may reverse any entry; players may reverse their own spends, or those of their characters, within 24 hours. If the spend raised a trait, the trait returns to its former value.',
      body: Reverse,
      reply: [201, Entry],
      emits: ['experience.reversed', 'character.updated', 'tracker.created', 'tracker.updated'],
      location: below(entries, '{id}'),
      conflicts: {
        already_reversed: 'The entry is already reversed',
        not_reversible: 'The entry is itself a reversal',
        award_spent: 'The awarded or gained experience is already spent',
        trait_changed: 'The trait no longer has the value that the spend gave it',
        character_archived: 'The character whose trait was raised is archived',
      },
      recheck: ({ db, actor, campaign, params }) => refuseReversal(db, { actor, campaign }, params.entry_id),
      run: ({ db, actor, campaign, params, body }) => reverse(db, { actor, campaign }, params.entry_id, body),
    }),
  ],
)
