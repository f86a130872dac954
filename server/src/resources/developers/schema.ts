import { type Static, Type } from '@guildhall/rules/type'
import { Permission } from '../../core/access.ts'
import { Flag, Id, Int, Name, stored } from '../../core/fields.ts'

const name = Name('Developer name', 'Night Club Bot')

/** A row of the table. */
export const DeveloperRow = Type.Object({
  id: Id('Developer identifier'),
  name,
  is_global_admin: Flag('True if the developer is a global admin of the service'),
  ...stored,
})

/** An entry is small and lacks the company's name, because some developers have access to tens of thousands. `GET /api/v1/companies` has the names. */
const Access = Type.Object(
  {
    company_id: Id('Company identifier'),
    permission: Permission("The developer's permission in the company"),
  },
  { title: 'DeveloperCompany', description: 'A company that the developer has access to' },
)

export const Developer = Type.Object(
  {
    ...DeveloperRow.properties,
    companies: Type.Array(Access, { maxItems: 100_000, description: 'One entry per accessible company' }),
  },
  { title: 'Developer', description: 'An account that uses the service with API keys' },
)
export type Developer = Static<typeof Developer>

/** Lists show at most this many companies of each developer. */
export const MAX_LISTED_COMPANIES = 100
export const ListedDeveloper = Type.Object(
  {
    ...DeveloperRow.properties,
    companies: Type.Array(Access, {
      maxItems: MAX_LISTED_COMPANIES,
      description: `The first ${MAX_LISTED_COMPANIES} accessible companies, in the order of their ids`,
    }),
    companies_total: Int(0, 2_147_483_647, 'Number of accessible companies', 1),
    truncated: Flag(`True if there are more than ${MAX_LISTED_COMPANIES} companies. Get the developer to see all of them`),
  },
  { title: 'DeveloperListItem', description: 'An account that uses the service with API keys' },
)
export type ListedDeveloper = Static<typeof ListedDeveloper>

export const DeveloperCreate = Type.Object(
  {
    name,
    is_global_admin: Type.Optional(
      Type.Boolean({ default: false, description: 'True to make the developer a global admin of the service' }),
    ),
  },
  { title: 'DeveloperCreate' },
)
export const DeveloperPatch = Type.Partial(
  Type.Object({ name, is_global_admin: Flag('True if the developer is a global admin of the service') }),
  { title: 'DeveloperPatch' },
)
export const AccountPatch = Type.Partial(Type.Object({ name }), { title: 'AccountPatch' })
