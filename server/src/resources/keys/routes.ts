import { Type } from 'typebox'
import { Paged, page, sortByDate } from '../../core/page.ts'
import { operation } from '../../http/operation.ts'
import { getKey, listKeys, revokeKey, rotateKey } from './queries.ts'
import { ApiKey, IssuedKey, KeyRotate } from './schema.ts'

const ALL = '/developers/me/keys'
const ONE = `${ALL}/{key_id}` as const

export const keys = [
  operation({
    id: 'keys.list',
    method: 'GET',
    path: ALL,
    needs: { key: 'KEY' },
    summary: 'List your API keys',
    query: Type.Object({ ...page, ...sortByDate }),
    reply: [200, Paged(ApiKey)],
    run: ({ db, developer, query }) => listKeys(db, developer.id, query),
  }),
  operation({
    id: 'keys.get',
    method: 'GET',
    path: ONE,
    needs: { key: 'KEY' },
    summary: 'Get one of your API keys',
    reply: [200, ApiKey],
    run: ({ db, developer, params }) => getKey(db, developer.id, params.key_id),
  }),
  operation({
    id: 'keys.rotate',
    method: 'POST',
    path: `${ONE}/rotate`,
    needs: { key: 'KEY' },
    summary: 'Rotate one of your API keys',
    description: 'Answers a new key. The old one goes on working for the overlap, so that clients can change over.',
    body: KeyRotate,
    reply: [201, IssuedKey],
    emits: 'api_key.rotated',
    location: `${ALL}/{id}`,
    conflicts: { already_rotated: 'The key was rotated already' },
    secret: true,
    run: ({ db, developer, params, body }) => rotateKey(db, developer.id, params.key_id, body.overlap_seconds),
  }),
  operation({
    id: 'keys.delete',
    method: 'DELETE',
    path: ONE,
    needs: { key: 'KEY' },
    summary: 'Revoke one of your API keys',
    description: 'It stops working at once, on every server.',
    reply: [204],
    emits: 'api_key.revoked',
    run: ({ db, developer, params }) => revokeKey(db, developer.id, params.key_id),
  }),
]
