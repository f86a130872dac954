import { type Static, Type } from '@guildhall/rules/type'
import { Permission } from '../../core/access.ts'
import { Id, Name, stored } from '../../core/fields.ts'

export const Grant = Type.Object(
  {
    id: Id("The developer's identifier"),
    company_id: Id('Company identifier'),
    name: Name('Developer name', 'Night Club Bot'),
    permission: Permission("The developer's permission in the company"),
    ...stored,
  },
  { title: 'Grant', description: "A developer's access to a company" },
)
export type Grant = Static<typeof Grant>

export const GrantSet = Type.Object({ permission: Permission("The developer's permission in the company") }, { title: 'GrantSet' })
