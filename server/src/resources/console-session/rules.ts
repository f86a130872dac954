import { type Fault, invalid } from '../../core/problem.ts'
import type { ConsoleSessionCreate } from './schema.ts'

const HOUR_SECONDS = 3600
export const SESSION_SECONDS = 12 * HOUR_SECONDS
const REMEMBERED_SECONDS = 30 * 24 * HOUR_SECONDS

/** The faults of a body that signs in: it has a key or a code, and only a code is remembered. */
function faultsIn({ key, code, remember }: ConsoleSessionCreate): Fault[] {
  if (key === undefined && code === undefined) return [{ field: 'key', message: 'is required, unless there is a code' }]
  if (code === undefined) return remember === undefined ? [] : [{ field: 'remember', message: 'must not be sent together with key' }]
  return key === undefined ? [] : [{ field: 'code', message: 'must not be sent together with key' }]
}

/** Reads the credential of a body that signs in. Throws a 400 problem unless there is exactly one. */
export function credentialIn(body: ConsoleSessionCreate) {
  const faults = faultsIn(body)
  if (faults.length) invalid(faults)
  const { key, code } = body
  return key === undefined ? { code: code as string } : { key }
}

/** The number of seconds for which a user stays signed in. */
export const secondsOf = ({ remember }: ConsoleSessionCreate) => (remember ? REMEMBERED_SECONDS : SESSION_SECONDS)
