import { Type } from '@guildhall/rules/type'
import { administering } from '../../core/access.ts'
import { named, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY } from '../../http/path.ts'
import { getGrant, listGrants, removeGrant, setGrant } from './queries.ts'
import { Grant, GrantSet } from './schema.ts'

const developers = below(COMPANY, 'developers')
const developer = below(developers, '{developer_id}')

export const grants = resource(
  {
    Grants: 'The developers who have access to a company, with their permissions',
  },
  [
    operation({
      id: 'grants.list',
      method: 'GET',
      path: developers,
      needs: administering('ADMIN'),
      summary: 'List the developers who have access to a company',
      query: Type.Object(named),
      reply: [200, Paged(Grant)],
      run: ({ db, params, query }) => listGrants(db, params.company_id, query),
    }),
    operation({
      id: 'grants.get',
      method: 'GET',
      path: developer,
      needs: administering('ADMIN'),
      summary: "Get a developer's access to a company",
      reply: [200, Grant],
      run: ({ db, params }) => getGrant(db, params.company_id, params.developer_id),
    }),
    operation({
      id: 'grants.set',
      method: 'PUT',
      path: developer,
      needs: administering('OWNER'),
      summary: 'Give a developer access to a company, or change it',
      body: GrantSet,
      reply: [200, Grant],
      emits: ['grant.set'],
      conflicts: { last_owner: 'The developer is the last OWNER of the company' },
      run: ({ db, params, body }) => setGrant(db, params.company_id, params.developer_id, body.permission),
    }),
    operation({
      id: 'grants.delete',
      method: 'DELETE',
      path: developer,
      needs: administering('OWNER'),
      summary: "Remove a developer's access to a company",
      reply: [204],
      emits: ['grant.removed'],
      conflicts: { last_owner: 'The developer is the last OWNER of the company' },
      run: ({ db, params }) => removeGrant(db, params.company_id, params.developer_id),
    }),
  ],
)
