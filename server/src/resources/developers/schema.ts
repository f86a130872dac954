import { type Static, Type } from 'typebox'
import { Permission } from '../../core/access.ts'
import { Flag, Id, Int, Name, stored } from '../../core/fields.ts'

const name = Name('Developer name', 'Night Club Bot')

/** What the developers table holds. */
export const DeveloperRow = Type.Object({
  id: Id('Developer identifier'),
  name,
  is_global_admin: Flag('Whether the developer is an operator of the service'),
  ...stored,
})

/** Kept small, and without the name of the company: some developers reach tens of thousands. `GET /companies` has the names. */
const Access = Type.Object(
  {
    company_id: Id('Company identifier'),
    permission: Permission('What the key may do in this company'),
  },
  { title: 'DeveloperCompany', description: 'A company the developer reaches' },
)

export const Developer = Type.Object(
  {
    ...DeveloperRow.properties,
    companies: Type.Array(Access, { maxItems: 100_000, description: 'One entry per accessible company' }),
  },
  { title: 'Developer', description: 'An account that reaches the service with API keys' },
)
export type Developer = Static<typeof Developer>

/** Lists show at most so many of the companies of each developer. */
export const MAX_LISTED_COMPANIES = 100
export const ListedDeveloper = Type.Object(
  {
    ...DeveloperRow.properties,
    companies: Type.Array(Access, {
      maxItems: MAX_LISTED_COMPANIES,
      description: `One entry per accessible company, in order of their ids: the first ${MAX_LISTED_COMPANIES}`,
    }),
    companies_total: Int(0, 2_147_483_647, 'Number of accessible companies', 1),
    truncated: Flag(`Whether there are more than ${MAX_LISTED_COMPANIES} companies; the developer itself has all of them`),
  },
  { title: 'DeveloperListItem', description: 'An account that reaches the service with API keys' },
)
export type ListedDeveloper = Static<typeof ListedDeveloper>

export const DeveloperCreate = Type.Object(
  { name, is_global_admin: Type.Optional(Type.Boolean({ default: false, description: 'Whether to make an operator of the service' })) },
  { title: 'DeveloperCreate' },
)
export const DeveloperPatch = Type.Partial(
  Type.Object({ name, is_global_admin: Flag('Whether the developer is an operator of the service') }),
  { title: 'DeveloperPatch' },
)
export const MePatch = Type.Partial(Type.Object({ name }), { title: 'MePatch' })
