import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { campaign } from '../campaigns/place.ts'
import { character } from '../characters/place.ts'
import { historyOf } from './queries.ts'
import { HistoryEntry, HistoryQuery } from './schema.ts'

export const history = [
  operation({
    id: 'history.list',
    method: 'GET',
    path: '/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}/characters/{character_id}/history',
    within: [campaign, character],
    needs: { key: 'USER' },
    summary: 'Read the history of a character',
    description: 'Every change of the character itself, newest first: who, when, what from, what to, and why where a spend says so.',
    query: HistoryQuery,
    reply: [200, Paged(HistoryEntry)],
    run: ({ db, actor, campaign, character, query }) => historyOf(db, { actor, campaign }, character.id, query),
  }),
]
