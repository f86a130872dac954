import { Type } from 'typebox'
import { administering, administers, Role } from '../../core/access.ts'
import { archives, Paged } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, COMPANY, USER } from '../../http/path.ts'
import { archiveUser, createUser, getUser, listUsers, restoreUser, updateUser } from './queries.ts'
import { mayCreate, mayUpdate } from './rules.ts'
import { User, UserCreate, UserPatch } from './schema.ts'

export const users = resource(
  {
    Users: 'The people who play. Link each user of your application to one of them',
  },
  [
    operation({
      id: 'users.list',
      method: 'GET',
      path: below(COMPANY, 'users'),
      needs: { key: 'USER' },
      summary: 'List the users of a company',
      query: Type.Object({
        ...archives,
        role: Type.Optional(Role('Only users with this role')),
        external_id: Type.Optional(
          Type.String({ maxLength: 255, description: 'Only the user with this external id', examples: ['discord:80351110224678912'] }),
        ),
      }),
      reply: [200, Paged(User)],
      run: ({ db, params, query, permission, actor }) => listUsers(db, params.company_id, query, administers({ permission, actor })),
    }),
    operation({
      id: 'users.create',
      method: 'POST',
      path: below(COMPANY, 'users'),
      needs: { key: 'USER', role: 'ADMIN', may: mayCreate },
      summary: 'Create a user',
      body: UserCreate,
      reply: [201, User],
      emits: ['user.created'],
      conflicts: { duplicate: 'Another user of the company has this external_id' },
      run: ({ db, params, body }) => createUser(db, params.company_id, body),
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
      conflicts: { last_admin: 'The user is the last ADMIN of the company', duplicate: 'Another user of the company has this external_id' },
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
      conflicts: { duplicate: 'Another user of the company has taken the external_id' },
      run: ({ db, params }) => restoreUser(db, params.company_id, params.user_id),
    }),
  ],
)
