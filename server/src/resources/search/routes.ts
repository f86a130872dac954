import { Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { search as find } from './queries.ts'
import { Hit, SearchQuery } from './schema.ts'

const reply: [200, ReturnType<typeof Paged<typeof Hit>>] = [200, Paged(Hit)]
const shape = {
  method: 'GET',
  needs: { key: 'USER' },
  query: SearchQuery,
  reply,
} as const

export const search = [
  operation({
    ...shape,
    id: 'search.asUser',
    path: '/companies/{company_id}/users/{user_id}/search',
    summary: 'Search the company as a user',
    description:
      'Campaigns, characters, books, chapters, notes and users, best first, as far as the acting user may see them. Of each kind at most 1,000 are found.',
    run: ({ db, actor, permission, params, query }) => find(db, { actor, permission }, params.company_id, query),
  }),
  operation({
    ...shape,
    id: 'search.get',
    path: '/companies/{company_id}/search',
    summary: 'Search the company',
    description:
      'The same without an acting user: an ADMIN key finds everything, a USER key what a player outside every campaign sees. On-Behalf-Of names somebody to search as.',
    run: ({ db, actor, permission, params, query }) => {
      // A USER key gains nothing by naming an ADMIN.
      const role = actor?.role === 'ADMIN' && permission === 'USER' ? 'STORYTELLER' : actor?.role
      return find(db, { actor: actor && { ...actor, role: role ?? actor.role }, permission }, params.company_id, query)
    },
  }),
]
