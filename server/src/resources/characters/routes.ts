import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { character } from './place.ts'
import { archiveCharacter, createCharacter, restoreCharacter, updateCharacter } from './queries.ts'
import { mayCreate, mayEdit, mayPatch } from './rules.ts'
import { Character, CharacterCreate, CharacterPatch } from './schema.ts'
import { getSheet, listSheets } from './sheet-queries.ts'
import { ListedSheet, Sheet, SheetQuery, SheetsQuery } from './sheet-schema.ts'

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters'
const ONE = `${ALL}/{character_id}` as const

export const characters = [
  operation({
    id: 'characters.list',
    method: 'GET',
    path: ALL,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'List the characters of a campaign',
    description:
      'As far as the acting user may see them: hidden NPCs are there for the storytellers of the campaign and for ADMINs. `include` brings what belongs to each.',
    query: SheetsQuery,
    long: ({ include }) => include !== undefined,
    reply: [200, Paged(ListedSheet)],
    run: ({ db, actor, campaign, query }) => listSheets(db, { actor, campaign }, query),
  }),
  operation({
    id: 'characters.get',
    method: 'GET',
    path: ONE,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'Get a character, with its inventory and notes if you like',
    query: SheetQuery,
    reply: [200, Sheet],
    run: ({ db, actor, campaign, params, query }) => getSheet(db, { actor, campaign }, params.character_id, query.include),
  }),
  operation({
    id: 'characters.create',
    method: 'POST',
    path: ALL,
    within: [campaign],
    needs: {
      key: 'USER',
      mayHere: ({ actor, campaign }, body) => mayCreate(actor, campaign, body),
      who: 'Every user may, for themselves; the storytellers of the campaign and ADMINs also for another user, and NPCs.',
    },
    summary: 'Create a character',
    description: 'Its player becomes a member of the campaign.',
    body: CharacterCreate,
    reply: [201, Character],
    emits: 'character.created',
    run: ({ db, actor, campaign, body }) => createCharacter(db, { actor, campaign }, body),
  }),
  operation({
    id: 'characters.update',
    method: 'PATCH',
    path: ONE,
    within: [campaign, character],
    needs: {
      key: 'USER',
      mayHere: mayPatch,
      who: 'Its player, the storytellers of the campaign and ADMINs may; only the latter two hand it to another player.',
    },
    summary: 'Change a character',
    description: 'Traits are replaced one by one. Whoever it is handed to becomes a member of the campaign.',
    body: CharacterPatch,
    reply: [200, Character],
    emits: ['character.updated', 'character.died'],
    run: ({ db, actor, campaign, params, body }) => updateCharacter(db, { actor, campaign }, params.character_id, body),
  }),
  operation({
    id: 'characters.delete',
    method: 'DELETE',
    path: ONE,
    within: [campaign, character],
    needs: { key: 'USER', mayHere: mayEdit, who: 'Its player, the storytellers of the campaign and ADMINs may.' },
    summary: 'Archive a character',
    description: 'It is hidden with its inventory and notes, and can be restored for 30 days.',
    reply: [204],
    emits: 'character.deleted',
    run: ({ db, actor, campaign, params }) => archiveCharacter(db, { actor, campaign }, params.character_id),
  }),
  operation({
    id: 'characters.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    within: [campaign, character],
    needs: { key: 'USER', mayHere: mayEdit, who: 'Its player, the storytellers of the campaign and ADMINs may.' },
    summary: 'Restore an archived character',
    reply: [200, Character],
    emits: 'character.restored',
    run: ({ db, actor, campaign, params }) => restoreCharacter(db, { actor, campaign }, params.character_id),
  }),
]
