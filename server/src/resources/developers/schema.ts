import { type Static, Type } from 'typebox'
import { Permission } from '../../core/access.ts'
import { Flag, Id, Name, stored } from '../../core/fields.ts'

const name = Name('Developer name', 'Night Club Bot')

/** What the developers table holds. */
export const DeveloperRow = Type.Object({
  id: Id('Developer identifier'),
  name,
  is_global_admin: Flag('Whether the developer is an operator of the service'),
  ...stored,
})

const Access = Type.Object(
  {
    company_id: Id('Company identifier'),
    company_name: Name('Name of the company', 'Blackwood Games'),
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

export const DeveloperCreate = Type.Object(
  { name, is_global_admin: Type.Optional(Type.Boolean({ default: false, description: 'Whether to make an operator of the service' })) },
  { title: 'DeveloperCreate' },
)
export const DeveloperPatch = Type.Partial(
  Type.Object({ name, is_global_admin: Flag('Whether the developer is an operator of the service') }),
  { title: 'DeveloperPatch' },
)
export const MePatch = Type.Partial(Type.Object({ name }), { title: 'MePatch' })
