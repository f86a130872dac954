import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, looksLikeApiKey, newApiKey } from '../core/api-key.ts'
import type { Config } from '../core/config.ts'
import { connect, type Database, type Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { record } from '../events/record.ts'
import { createDeveloper } from '../resources/developers/queries.ts'
import { storeKey } from '../resources/keys/queries.ts'
import { refuseTakenPorts } from './ports.ts'

export const operatorKeyFile = (dataDir: string) => join(dataDir, 'operator.key')

export const hasDevelopers = async (db: Db) => (await db.query(sql`SELECT 1 AS one FROM developers LIMIT 1`)).length > 0

export const hasCompanies = async (db: Db) => (await db.query(sql`SELECT 1 AS one FROM companies LIMIT 1`)).length > 0

/**
 * Creates the first account of an embedded database. The key is written to its file before the database: if a start is killed in between,
 * an existing account has its key in the file, and a missing one is created by the next start.
 */
async function createOperator(db: Database, dataDir: string): Promise<string> {
  const fresh = newApiKey()
  writeFileSync(operatorKeyFile(dataDir), `${fresh.key}\n`, { mode: 0o600 })
  await db.transaction(async (tx) => {
    const operator = await createDeveloper(tx, { name: 'operator', is_global_admin: true })
    const { id } = operator.reply
    const origin = { company_id: id, developer_id: null, user_id: null, request_id: null }
    const key = await storeKey(tx, id, fresh)
    record(
      tx,
      [
        { type: 'developer.created', ...operator },
        { type: 'api_key.issued', ...key },
      ],
      origin,
    )
  })
  return fresh.key
}

/**
 * Creates the operator of an embedded database that has no developers, and returns its key. A start whose port is taken creates none, so
 * that the next one can show the key.
 */
export async function ensureOperator(config: Config, url: string): Promise<string | undefined> {
  const db = connect(url, { readers: 1, writers: 1 })
  try {
    if (await hasDevelopers(db)) return undefined
    await refuseTakenPorts(config)
    return await createOperator(db, config.dataDir)
  } finally {
    await db.close()
  }
}

/** Returns true if the key in the operator's key file works. */
export async function operatorKeyWorks(db: Db, dataDir: string): Promise<boolean> {
  const file = operatorKeyFile(dataDir)
  const key = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (!looksLikeApiKey(key)) return false
  const rows = await db.query(sql`
    SELECT 1 AS one FROM api_keys WHERE key_hash = ${hashOf(key)} AND (date_expires IS NULL OR date_expires > ${db.now()})`)
  return rows.length > 0
}
