import { hash } from 'node:crypto'
import type { IdempotencyKey } from './session-state.ts'

export const sha256Of = (text: string) => hash('sha256', text, 'buffer')

/** Hashes a key with its scope: the acting user, the method and the path. The developer, who belongs to the scope too, is a column of its own. */
export function idempotencyKeyOf(header: string, actor_id: string | null | undefined, method: string, path: string): IdempotencyKey {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  return { key, key_hash: sha256Of(JSON.stringify([actor_id ?? null, method, path, key])) }
}
