import { Type } from '@guildhall/rules/type'
import { modifiable, named, Paged, page } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, ROOT } from '../../http/path.ts'
import { createDeveloper, deleteDeveloper, getDeveloper, holdDeveloper, listDevelopers, updateDeveloper } from '../developers/queries.ts'
import { Developer, DeveloperCreate, DeveloperPatch, ListedDeveloper } from '../developers/schema.ts'
import { getKey, issueKey, listKeys, revokeKey } from '../keys/queries.ts'
import { ApiKey, IssuedKey } from '../keys/schema.ts'

const developers = below(ROOT, 'admin', 'developers')
const developer = below(developers, '{developer_id}')
const keys = below(developer, 'keys')
const key = below(keys, '{key_id}')

/** The endpoints for operators of the service. */
export const admin = resource(
  {
    'Admin developers': 'For operators: the developer accounts of the service',
    'Admin keys': 'For operators: the API keys of developers',
  },
  [
    operation({
      id: 'adminDevelopers.list',
      method: 'GET',
      path: developers,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'List the developers',
      query: Type.Object(named),
      reply: [200, Paged(ListedDeveloper)],
      run: ({ db, query }) => listDevelopers(db, query),
    }),
    operation({
      id: 'adminDevelopers.create',
      method: 'POST',
      path: developers,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Create a developer',
      body: DeveloperCreate,
      reply: [201, Developer],
      emits: ['developer.created'],
      run: ({ db, body }) => createDeveloper(db, body),
    }),
    operation({
      id: 'adminDevelopers.get',
      method: 'GET',
      path: developer,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Get a developer',
      reply: [200, Developer],
      run: ({ db, params }) => getDeveloper(db, params.developer_id),
    }),
    operation({
      id: 'adminDevelopers.update',
      method: 'PATCH',
      path: developer,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Change a developer',
      body: DeveloperPatch,
      reply: [200, Developer],
      emits: ['developer.updated'],
      conflicts: { last_global_admin: 'The developer is the last global admin and would no longer be one' },
      run: ({ db, params, body }) => updateDeveloper(db, params.developer_id, body),
    }),
    operation({
      id: 'adminDevelopers.delete',
      method: 'DELETE',
      path: developer,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Delete a developer',
      description: 'Also deletes its keys and its access to companies.',
      reply: [204],
      emits: ['developer.deleted', 'grant.removed'],
      conflicts: {
        last_global_admin: 'The developer is the last global admin',
        last_owner: 'The developer is the last OWNER of a company',
      },
      run: ({ db, params }) => deleteDeveloper(db, params.developer_id),
    }),
    operation({
      id: 'adminKeys.list',
      method: 'GET',
      path: keys,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'List the API keys of a developer',
      query: Type.Object({ ...page, ...modifiable }),
      reply: [200, Paged(ApiKey)],
      run: async ({ db, params, query }) => {
        const page = await listKeys(db, params.developer_id, query)
        if (page.total === 0) await getDeveloper(db, params.developer_id)
        return page
      },
    }),
    operation({
      id: 'adminKeys.create',
      method: 'POST',
      path: keys,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Issue an API key to a developer',
      reply: [201, IssuedKey],
      emits: ['api_key.issued'],
      secret: true,
      run: async ({ db, params }) => {
        await holdDeveloper(db, params.developer_id)
        return issueKey(db, params.developer_id)
      },
    }),
    operation({
      id: 'adminKeys.get',
      method: 'GET',
      path: key,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Get an API key of a developer',
      reply: [200, ApiKey],
      run: ({ db, params }) => getKey(db, params.developer_id, params.key_id),
    }),
    operation({
      id: 'adminKeys.delete',
      method: 'DELETE',
      path: key,
      needs: { key: 'GLOBAL_ADMIN' },
      summary: 'Revoke an API key of a developer',
      reply: [204],
      emits: ['api_key.revoked'],
      run: ({ db, params }) => revokeKey(db, params.developer_id, params.key_id),
    }),
  ],
)
