import { Paged } from '../../core/page.ts'
import type { Tx } from '../../db/client.ts'
import type { EventType } from '../../events/catalog.ts'
import type { EventDraft } from '../../events/record.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { WITHOUT_USER } from '../campaigns/across.ts'
import { campaign } from '../campaigns/path-resource.ts'
import { createTrackers } from '../trackers/definitions.ts'
import { followSheet } from '../trackers/ruled.ts'
import type { TrackerRow } from '../trackers/schema.ts'
import { WithTrackers } from './create-schema.ts'
import { ListedCharacter } from './listed-schema.ts'
import { CompanyCharactersQuery, listCharacters, listOwnCharacters, OwnCharactersQuery } from './lists.ts'
import { CharacterOverview, getOverview, OverviewQuery } from './overview.ts'
import { character } from './path-resource.ts'
import { archiveCharacter, type CampaignContext, createCharacter, refuseSheetReplay, restoreCharacter, updateCharacter } from './queries.ts'
import { mayCreate, mayEdit, mayUpdate } from './rules.ts'
import { Character, CharacterPatch, type CharacterRow } from './schema.ts'
import { listSheets } from './sheet-queries.ts'
import { ListedSheet, SheetsQuery } from './sheet-schema.ts'

const all = below(campaign.path, 'characters')

/** Lets the trackers of a character follow its sheet, and tells their changes with that of the character. */
async function withTrackers<Event extends EventType, Result extends { after: CharacterRow; sideEvents: EventDraft<Event>[] }>(
  db: Tx,
  context: CampaignContext,
  result: Result,
) {
  return { ...result, sideEvents: [...result.sideEvents, ...(await followSheet(db, context, result.after))] }
}

/** Creates a character with the trackers that its ruleset defines, and those that the request names. */
async function createWithTrackers(db: Tx, context: CampaignContext, { trackers = {}, ...body }: WithTrackers) {
  const { after, sideEvents, reply } = await createCharacter(db, context, body)
  // It has no trackers yet that could be updated.
  const ruled = (await followSheet(db, context, after)) as EventDraft<'tracker.created'>[]
  const rows = ruled.map((event) => event.after as TrackerRow)
  const events = createTrackers(db, context, after, trackers, rows)
  return { before: null, after, reply, sideEvents: [...sideEvents, ...ruled, ...events] }
}

export const characters = resource(
  {
    Characters: 'The player characters and NPCs of a campaign. NPCs can be hidden from players',
  },
  [
    operation({
      id: 'characters.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the characters of a campaign',
      description:
        'Lists the characters that the acting user may see. Only the storytellers of the campaign and ADMINs see hidden NPCs. Use `include` to get the inventory and notes of each character. `traits`, `details` and the inventory are null if `sheet_visibility` hides them from the acting user.',
      query: SheetsQuery,
      formerly: { player_id: 'user_id' },
      long: ({ include }) => include !== undefined,
      reply: [200, Paged(ListedSheet)],
      run: ({ db, actor, campaign, query }) => listSheets(db, { actor, campaign }, query),
    }),
    operation({
      id: 'characters.listOwn',
      method: 'GET',
      path: below(USER, 'characters'),
      needs: { key: 'USER' },
      summary: 'List your characters in all campaigns',
      description: 'Lists the characters that the acting user plays.',
      query: OwnCharactersQuery,
      reply: [200, Paged(ListedCharacter)],
      run: ({ db, actor, query }) => listOwnCharacters(db, actor, query),
    }),
    operation({
      id: 'characters.listInCompany',
      method: 'GET',
      path: below(COMPANY, 'characters'),
      needs: { key: 'USER' },
      summary: 'List the characters of all campaigns without a user in the path',
      description: WITHOUT_USER,
      query: CompanyCharactersQuery,
      formerly: { player_id: 'user_id' },
      // Its total is counted over the characters of the whole company.
      long: true,
      reply: [200, Paged(ListedCharacter)],
      run: ({ db, params: { company_id }, actor, permission, query }) => listCharacters(db, { company_id, actor, permission }, query),
    }),
    operation({
      id: 'characters.get',
      method: 'GET',
      path: character.path,
      needs: { key: 'USER' },
      summary: 'Get a character, optionally with its parts',
      description: 'Use `include` to read a whole sheet at once.',
      query: OverviewQuery,
      // The values around one sheet are a few rows, found by their keys.
      long: ({ include }) => include !== undefined && String(include) !== 'sheet',
      reply: [200, CharacterOverview],
      run: ({ db, actor, campaign, character, query }) => getOverview(db, { actor, campaign, character }, query.include),
    }),
    operation({
      id: 'characters.create',
      method: 'POST',
      path: all,
      needs: { key: 'USER', may: mayCreate },
      summary: 'Create a character',
      description:
        'The player of the character becomes a member of the campaign. If `trait_changes` of the campaign is STORYTELLER, a player sends no traits.',
      body: WithTrackers,
      reply: [201, Character],
      emits: ['character.created', 'member.added', 'tracker.created'],
      conflicts: {
        defined_by_ruleset: 'The ruleset of the campaign defines one of the trackers',
        too_many_trackers: 'The character would have more than 100 trackers, with those of its ruleset',
      },
      recheck: ({ db, actor, campaign, reply }) => refuseSheetReplay(db, { actor, campaign }, reply),
      run: ({ db, actor, campaign, body }) => createWithTrackers(db, { actor, campaign }, body),
    }),
    operation({
      id: 'characters.update',
      method: 'PATCH',
      path: character.path,
      needs: { key: 'USER', may: mayUpdate },
      summary: 'Change a character',
      description: 'Traits and details that the request does not name keep their values. A new player becomes a member of the campaign.',
      body: CharacterPatch,
      reply: [200, Character],
      emits: ['character.updated', 'character.died', 'member.added', 'tracker.created', 'tracker.updated'],
      recheck: ({ db, actor, campaign, reply }) => refuseSheetReplay(db, { actor, campaign }, reply),
      run: async ({ db, actor, campaign, params, body }) =>
        withTrackers(db, { actor, campaign }, await updateCharacter(db, { actor, campaign }, params.character_id, body)),
    }),
    operation({
      id: 'characters.delete',
      method: 'DELETE',
      path: character.path,
      needs: { key: 'USER', may: mayEdit },
      summary: 'Archive a character',
      description: 'Hides the character with its inventory and notes. It can be restored for 30 days.',
      reply: [204],
      emits: ['character.deleted'],
      run: ({ db, actor, campaign, params }) => archiveCharacter(db, { actor, campaign }, params.character_id),
    }),
    operation({
      id: 'characters.restore',
      method: 'POST',
      path: below(character.path, 'restore'),
      needs: { key: 'USER', may: mayEdit },
      summary: 'Restore an archived character',
      reply: [200, Character],
      emits: ['character.restored'],
      recheck: ({ db, actor, campaign, reply }) => refuseSheetReplay(db, { actor, campaign }, reply),
      run: ({ db, actor, campaign, params }) => restoreCharacter(db, { actor, campaign }, params.character_id),
    }),
  ],
)
