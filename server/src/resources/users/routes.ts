import { Type } from '@guildhall/rules/type'
import { administering, Role } from '../../core/access.ts'
import { archives, byExternalId, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, belowText, COMPANY, USER, withLookup } from '../../http/path.ts'
import { settings } from '../companies/path-resource.ts'
import { archiveUser, createUser, getUser, linkUser, listUsers, restoreUser, updateUser } from './queries.ts'
import { defaultRoleOf, mayCreate, mayLink, mayUpdate } from './rules.ts'
import { LinkedId, User, UserCreate, UserLink, UserPatch } from './schema.ts'

const all = below(COMPANY, 'users')
const byLink = belowText(below(all, 'by-external-id'), 'external_id', { noun: 'User', schema: LinkedId })

export const users = resource(
  {
    Users: 'The people who play. Link each user of your application to one of them',
  },
  [
    operation({
      id: 'users.list',
      method: 'GET',
      path: all,
      needs: { key: 'USER' },
      summary: 'List the users of a company',
      description:
        'Acting users other than ADMINs see only their own `email` and `external_id`, and find only themselves by `external_id`.',
      query: Type.Object({
        ...archives,
        role: Type.Optional(Role('Only users with this role')),
        ...byExternalId,
      }),
      reply: [200, Paged(User)],
      run: ({ db, params, query, permission, actor }) => listUsers(db, params.company_id, query, { permission, actor }),
    }),
    operation({
      id: 'users.create',
      method: 'POST',
      path: all,
      needs: { key: 'USER', role: 'ADMIN', may: mayCreate },
      summary: 'Create a user',
      body: UserCreate,
      reply: [201, User],
      emits: ['user.created'],
      run: ({ db, params, body }) => createUser(db, params.company_id, body),
    }),
    operation({
      id: 'users.link',
      method: 'PUT',
      path: withLookup(byLink, settings),
      needs: { key: 'USER', role: 'ADMIN', may: mayLink },
      summary: 'Get the user with an external id, or create them',
      description:
        'Creates the user if no user of the company has this external id (201). Otherwise returns that user unchanged (200), whatever the body says. Concurrent requests create one user.',
      body: UserLink,
      reply: [200, User],
      emits: ['user.created'],
      location: below(all, '{id}'),
      conflicts: { user_archived: 'The user with this external_id is archived' },
      run: ({ db, params, body, settings, permission, actor }) => {
        const { name, role = defaultRoleOf(settings) } = body
        return linkUser(db, params.company_id, params.external_id, { name, role }, { permission, actor })
      },
    }),
    operation({
      id: 'users.get',
      method: 'GET',
      path: USER,
      needs: { key: 'USER' },
      summary: 'Get a user',
      reply: [200, User],
      run: ({ db, params }) => getUser(db, params.company_id, params.user_id),
    }),
    operation({
      id: 'users.update',
      method: 'PATCH',
      path: USER,
      needs: { key: 'USER', may: mayUpdate },
      summary: 'Change a user',
      body: UserPatch,
      reply: [200, User],
      emits: ['user.updated'],
      conflicts: { last_admin: 'The user is the last ADMIN of the company' },
      run: ({ db, params, body }) => updateUser(db, params.company_id, params.user_id, body),
    }),
    operation({
      id: 'users.delete',
      method: 'DELETE',
      path: USER,
      needs: administering('ADMIN'),
      summary: 'Archive a user',
      description: 'The user is hidden everywhere. They can be restored for 30 days.',
      reply: [204],
      emits: ['user.deleted'],
      conflicts: { last_admin: 'The user is the last ADMIN of the company' },
      run: ({ db, params }) => archiveUser(db, params.company_id, params.user_id),
    }),
    operation({
      id: 'users.restore',
      method: 'POST',
      path: below(USER, 'restore'),
      needs: administering('ADMIN'),
      summary: 'Restore an archived user',
      reply: [200, User],
      emits: ['user.restored'],
      run: ({ db, params }) => restoreUser(db, params.company_id, params.user_id),
    }),
  ],
)
