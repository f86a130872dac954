import { PagedByOffset } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { search as find } from './queries.ts'
import { Hit, SearchQuery } from './schema.ts'

const reply: [200, ReturnType<typeof PagedByOffset<typeof Hit>>] = [200, PagedByOffset(Hit)]
const shape = {
  method: 'GET',
  needs: { key: 'USER' },
  query: SearchQuery,
  reply,
  long: true,
} as const

export const search = resource(
  {
    Search: 'Search a company by names and texts',
  },
  [
    operation({
      ...shape,
      id: 'search.asUser',
      path: below(USER, 'search'),
      summary: 'Search the company as a user',
      description:
        'Finds the campaigns, characters, items, books, chapters, notes and users that the acting user may see, best match first. At most 1,000 of each type are found, the best of the first 20,000 matches.',
      run: ({ db, actor, permission, params, query }) => find(db, { company_id: params.company_id, actor, permission }, query),
    }),
    operation({
      ...shape,
      id: 'search.get',
      path: below(COMPANY, 'search'),
      summary: 'Search the company',
      description:
        'Searches without a user in the path. With On-Behalf-Of, it finds everything that this user may see. Without On-Behalf-Of, a key with permission ADMIN finds everything, and a key with permission USER finds what a player who is in no campaign may see.',
      run: ({ db, actor, permission, params, query }) => find(db, { company_id: params.company_id, actor, permission }, query),
    }),
  ],
)
