import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashApiKey, looksLikeApiKey } from '../../core/api-key.ts'
import { Problem } from '../../core/problem.ts'
import type { Database, Db } from '../../db/client.ts'
import type { ArrivingBodies } from '../limits/arriving-bodies.ts'
import type { Recognize, Turns } from '../limits/overload.ts'
import { addressKey } from '../limits/rate-limit.ts'
import type { Limits } from '../limits/request-limits.ts'
import type { UnreadResponses } from '../limits/unread-responses.ts'
import { type Identity, identify, keyHashOf } from './identify.ts'
import type { LastUsed } from './last-used.ts'
import type { Memory } from './recalled-callers.ts'

/** What every request needs, whatever it asks. */
export interface House {
  db: Database
  limits: Limits
  lastUsed: LastUsed
  memory: Memory
  turns: Turns
  bodies: ArrivingBodies
  unread: UnreadResponses
}

/** Reads the API key of a request. A missing or malformed key is refused without a question to the database. */
export async function readKey({ limits }: House, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    request.keyHash ??= keyHashOf(request)
  } catch (error) {
    await limits.stranger(request, reply)
    throw error
  }
}

/** Whose turn it is: a developer's, however many keys they have; of a key that is not known yet, its address's. */
export const callerName = ({ memory }: Pick<House, 'memory'>, { identity, keyHash, ip }: FastifyRequest): string =>
  identity?.developer.id ?? (keyHash && memory.developerOf(keyHash)) ?? addressKey(ip)

/** A caller who was here before, by the bare head of a request. */
export const recognize =
  ({ memory, limits }: Pick<House, 'memory' | 'limits'>): Recognize =>
  ({ headers: { 'x-api-key': key, origin } }) => {
    // A page of another origin could not read the refusal without the header fields that CORS adds later.
    if (origin !== undefined || typeof key !== 'string' || !looksLikeApiKey(key)) return undefined
    const caller = memory.developerOf(hashApiKey(key))
    const headers = caller && limits.peek(caller)
    return caller && headers ? { caller, headers } : undefined
  }

/** Who calls, and within their limits? Asked of every request below /api/v1, also where no operation is. */
export async function admit(house: House, request: FastifyRequest, reply: FastifyReply, db: Db = house.db): Promise<Identity> {
  await readKey(house, request, reply)
  request.identity = undefined as never
  try {
    request.identity = await house.turns.run(request, callerName(house, request), () => identify(db, request))
  } catch (error) {
    if (error instanceof Problem && error.status === 401) {
      // A revoked key takes no more turns of the developer it belonged to.
      house.memory.forgetKey(request.keyHash)
      await house.limits.stranger(request, reply)
    }
    throw error
  }
  noteUse(house, request)
  await count(house, request, reply)
  return request.identity
}

/** Of a key that is known to be good. */
export const noteUse = ({ db, lastUsed }: House, { identity }: FastifyRequest) => lastUsed.note(identity.developer.key_id, db.now())

/** Once for each request, however often it is begun. */
export async function count({ limits }: House, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { id } = request.identity.developer
  if (request.counted === id) return
  await limits.developer(id, reply)
  request.counted = id
}
