import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '../core/config.ts'
import { localUrl } from '../core/loopback.ts'
import { operatorKeyFile } from '../start/operator.ts'
import { refuse } from './database.ts'

// Commands that call the running service, as any client does.

/** Returns the key for the service: that of the environment, or that of the operator of an embedded database in this folder. */
export function keyOf({ apiKey, dataDir }: Config): string {
  const file = operatorKeyFile(dataDir)
  return apiKey ?? (existsSync(file) ? readFileSync(file, 'utf8').trim() : refuse('GUILDHALL_API_KEY is not set. Set it to an API key.'))
}

/** Returns the address of the service: a given one, or that of this machine. */
export const addressOf = ({ host, port }: Config, given: string | boolean | undefined): string =>
  String(given ?? localUrl(host, port)).replace(/\/$/, '')
