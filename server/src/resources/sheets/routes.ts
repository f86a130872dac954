import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { getSheet, listSheets } from './queries.ts'
import { ListedSheet, Sheet, SheetQuery, SheetsQuery } from './schema.ts'

// Characters are read here, not in their own folder: a sheet brings what belongs to a character, and a parent never
// imports its child.

const ALL = '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters'

export const sheets = [
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
    path: `${ALL}/{character_id}`,
    within: [campaign],
    needs: { key: 'USER' },
    summary: 'Get a character, with its inventory and notes if you like',
    query: SheetQuery,
    reply: [200, Sheet],
    run: ({ db, actor, campaign, params, query }) => getSheet(db, { actor, campaign }, params.character_id, query.include),
  }),
]
