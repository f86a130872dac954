import { Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below } from '../../http/path.ts'
import { character } from '../characters/path-resource.ts'
import { listHistory } from './queries.ts'
import { HistoryEntry, HistoryQuery } from './schema.ts'

export const history = resource(
  {
    History: 'The changes of a character',
  },
  [
    operation({
      id: 'history.list',
      method: 'GET',
      path: below(character.path, 'history'),
      needs: { key: 'USER' },
      summary: 'List the changes of a character',
      description:
        'Every change of the character itself, newest first, with the user, the time, the values before and after and, if one was given, the reason. Traits and details are left out where the sheet is, or was then, hidden from the acting user.',
      query: HistoryQuery,
      reply: [200, Paged(HistoryEntry)],
      run: ({ db, actor, campaign, character, query }) => listHistory(db, { actor, campaign }, character, query),
    }),
  ],
)
