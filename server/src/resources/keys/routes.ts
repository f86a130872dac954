import { Type } from '@guildhall/rules/type'
import { modifiable, Paged, page } from '../../core/page.ts'
import { operation, resource } from '../../http/operation.ts'
import { below, ROOT } from '../../http/path.ts'
import { getKey, listKeys, revokeKey, rotateKey } from './queries.ts'
import { ApiKey, IssuedKey, KeyRotate } from './schema.ts'

const ownKeys = below(ROOT, 'developers', 'me', 'keys')
const ownKey = below(ownKeys, '{key_id}')

export const keys = resource(
  {
    Keys: 'List, rotate and revoke your API keys',
  },
  [
    operation({
      id: 'keys.list',
      method: 'GET',
      path: ownKeys,
      needs: { key: 'KEY' },
      summary: 'List your API keys',
      query: Type.Object({ ...page, ...modifiable }),
      reply: [200, Paged(ApiKey)],
      run: ({ db, developer, query }) => listKeys(db, developer.id, query),
    }),
    operation({
      id: 'keys.get',
      method: 'GET',
      path: ownKey,
      needs: { key: 'KEY' },
      summary: 'Get one of your API keys',
      reply: [200, ApiKey],
      run: ({ db, developer, params }) => getKey(db, developer.id, params.key_id),
    }),
    operation({
      id: 'keys.rotate',
      method: 'POST',
      path: below(ownKey, 'rotate'),
      needs: { key: 'KEY' },
      summary: 'Rotate one of your API keys',
      description: 'Returns a new key. The old key keeps working for `overlap_seconds`, so that clients can switch to the new one.',
      body: KeyRotate,
      reply: [201, IssuedKey],
      emits: ['api_key.rotated'],
      location: below(ownKeys, '{id}'),
      conflicts: { already_rotated: 'The key has already been rotated' },
      secret: true,
      run: ({ db, developer, params, body }) => rotateKey(db, developer.id, params.key_id, body.overlap_seconds),
    }),
    operation({
      id: 'keys.delete',
      method: 'DELETE',
      path: ownKey,
      needs: { key: 'KEY' },
      summary: 'Revoke one of your API keys',
      description: 'It stops working immediately, on every server.',
      reply: [204],
      emits: ['api_key.revoked'],
      run: ({ db, developer, params }) => revokeKey(db, developer.id, params.key_id),
    }),
  ],
)
