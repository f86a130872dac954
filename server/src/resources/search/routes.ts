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
  long: true,
} as const

export const search = [
  operation({
    ...shape,
    id: 'search.asUser',
    path: '/companies/{company_id}/users/{user_id}/search',
    summary: 'Search the company as a user',
    description:
      'Campaigns, characters, books, chapters, notes and users, best first, as far as the acting user may see them. Of each kind at most 1,000 are found, the best of the first 20,000 that match.',
    run: ({ db, actor, permission, params, query }) => find(db, { actor, permission }, params.company_id, query),
  }),
  operation({
    ...shape,
    id: 'search.get',
    path: '/companies/{company_id}/search',
    summary: 'Search the company',
    description:
      'The same search without a user in the path. With On-Behalf-Of it finds what that user may see. Without, an ADMIN key finds everything, and a USER key what a player outside every campaign sees.',
    run: ({ db, actor, permission, params, query }) => find(db, { actor, permission }, params.company_id, query),
  }),
]
