import { Type } from 'typebox'
import { administering, administers, Role } from '../../core/access.ts'
import { archives, Paged } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { archiveUser, createUser, getUser, listUsers, restoreUser, updateUser } from './queries.ts'
import { mayChange, mayCreate, mayTouch } from './rules.ts'
import { User, UserCreate, UserPatch } from './schema.ts'

const ALL = '/companies/{company_id}/users'
const ONE = `${ALL}/{user_id}` as const

export const users = [
  operation({
    id: 'users.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'USER' },
    summary: 'List the users of a company',
    query: Type.Object({
      ...archives,
      role: Type.Optional(Role('Only users of this role')),
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
    path: ALL,
    needs: { key: 'USER', role: 'ADMIN', mayWith: (caller, _params, { role }) => mayCreate(caller, role) },
    summary: 'Create a user',
    description: 'Any key may link a new PLAYER; other roles need an ADMIN key.',
    body: UserCreate,
    reply: [201, User],
    emits: 'user.created',
    conflicts: { duplicate: 'Another user of the company has the external_id' },
    run: ({ db, params, body }) => createUser(db, params.company_id, body),
  }),
  operation({
    id: 'users.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'USER' },
    summary: 'Get a user',
    reply: [200, User],
    run: ({ db, params }) => getUser(db, params.company_id, params.user_id),
  }),
  operation({
    id: 'users.update',
    method: 'PATCH',
    path: ONE,
    needs: {
      key: 'USER',
      may: (caller, { user_id }) => mayTouch(caller, user_id),
      mayWith: (caller, { user_id }, patch) => mayChange(caller, user_id, Object.keys(patch)),
    },
    summary: 'Change a user',
    description: 'A user may change their own name and email; the rest needs an ADMIN key, and an ADMIN where somebody acts.',
    body: UserPatch,
    reply: [200, User],
    emits: 'user.updated',
    conflicts: { last_admin: 'It is the last ADMIN of the company', duplicate: 'Another user has the external_id' },
    run: ({ db, params, body }) => updateUser(db, params.company_id, params.user_id, body),
  }),
  operation({
    id: 'users.delete',
    method: 'DELETE',
    path: ONE,
    needs: administering('ADMIN'),
    summary: 'Archive a user',
    description: 'The user is hidden everywhere, and can be restored for 30 days.',
    reply: [204],
    emits: 'user.deleted',
    conflicts: { last_admin: 'It is the last ADMIN of the company' },
    run: ({ db, params }) => archiveUser(db, params.company_id, params.user_id),
  }),
  operation({
    id: 'users.restore',
    method: 'POST',
    path: `${ONE}/restore`,
    needs: administering('ADMIN'),
    summary: 'Restore an archived user',
    reply: [200, User],
    emits: 'user.restored',
    conflicts: { duplicate: 'Another user has taken the external_id meanwhile' },
    run: ({ db, params }) => restoreUser(db, params.company_id, params.user_id),
  }),
]
