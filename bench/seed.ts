import type pg from 'pg'
import { connect } from '../server/src/db/client.ts'
import { engineAt } from '../server/src/db/driver/engine.ts'
import { createDeveloper } from '../server/src/resources/developers/queries.ts'
import { issueKey } from '../server/src/resources/keys/queries.ts'
import { copyFeed, untilSequenced } from './feed.ts'
import { call, type OutgoingRequest } from './load.ts'

/** A company with users, a campaign and a character. */
export interface Company {
  base: string
  player: string
  /** The path of the acting player. */
  userPath: string
  campaign: string
  character: string
  /** A cursor of the player in the middle of the feed; see `addCursors`. */
  cursor?: string
}

export interface Developer {
  id: string
  key: string
}

interface World {
  /** A key that reads, and acts for users. */
  key: string
  /** The companies over which writes are spread. */
  companies: Company[]
  /** Companies that differ only in size, by their number of rows. */
  sized: Map<number, Company>
}

/** The number of rows of each kind in the smallest of the sized companies. The others are multiples of it. */
const SMALLEST_SIZE = 1000
const CHARACTERS = 20

/** Creates two developers: one that owns the companies, and one with a key that reads and acts for users. */
export async function newDevelopers(url: string): Promise<{ owner: Developer; player: Developer }> {
  const db = connect(url, { readers: 1, writers: 1, engine: await engineAt(url) })
  const newDeveloper = (name: string) =>
    db.transaction(async (tx) => {
      const { id } = (await createDeveloper(tx, { name, is_global_admin: false })).reply
      return { id, key: (await issueKey(tx, id)).reply.key }
    })
  const [owner, player] = [await newDeveloper('Bench owner'), await newDeveloper('Bench player')]
  await db.close()
  return { owner, player }
}

export async function newWorld(url: string, port: number, count: number): Promise<World & { owner: string; guest: string }> {
  const { owner, player } = await newDevelopers(url)
  const companies = await inBatches(count, () => newCompany(port, owner.key, player.id))
  const smallest = await newCompany(port, owner.key, player.id)
  await fill(port, owner.key, smallest)
  return { key: player.key, owner: owner.key, guest: player.id, companies, sized: new Map([[SMALLEST_SIZE, smallest]]) }
}

/** Creates twenty at a time, so that a large world takes seconds. */
export async function inBatches<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const created: T[] = []
  for (let i = 0; i < count; i += 20)
    created.push(...(await Promise.all(Array.from({ length: Math.min(20, count - i) }, (_, j) => make(i + j)))))
  return created
}

/** Creates a company with two users, a campaign, a character, and awards that the player can spend. A guest is another developer. */
export async function newCompany(port: number, key: string, guest?: string, awards = 20): Promise<Company> {
  const post = async (path: string, body: unknown) => (await call(port, { method: 'POST', path, key, body })).id
  const base = `/api/v1/companies/${await post('/api/v1/companies', { name: 'Bench' })}`
  if (guest) await call(port, { method: 'PUT', path: `${base}/developers/${guest}`, key, body: { permission: 'USER' } })
  const [teller, player] = [
    await post(`${base}/users`, { name: 'Teller', role: 'STORYTELLER' }),
    await post(`${base}/users`, { name: 'Player', role: 'PLAYER' }),
  ]
  const campaign = await post(`${base}/users/${teller}/campaigns`, { name: 'Fall of Kingsport' })
  const campaignPath = `campaigns/${campaign}`
  const character = await post(`${base}/users/${player}/${campaignPath}/characters`, { name: 'Crane', traits: { strength: 3, brawl: 2 } })
  const award = { amount: 10_000, reason: 'To be spent', user_ids: [player] }
  for (let i = 0; i < awards; i++) await post(`${base}/users/${teller}/${campaignPath}/experience/awards`, award)
  const all = { teller, player, campaign, character }
  return { base, userPath: `${base}/users/${player}`, ...all } as Company
}

/** Creates a thousand users, rolls and ledger entries in one campaign. */
async function fill(port: number, key: string, company: Company & { teller?: string }): Promise<void> {
  const { base, userPath, campaign, character, teller } = company
  const post = (path: string, body: unknown): OutgoingRequest => ({ method: 'POST', path, key, body })
  const users = await inBatches(SMALLEST_SIZE - 2, (i) => call(port, post(`${base}/users`, { name: `Player ${i}`, role: 'PLAYER' })))
  const campaignPath = `${base}/users/${teller}/campaigns/${campaign}`
  await inBatches(CHARACTERS - 1, (i) =>
    call(port, post(`${userPath}/campaigns/${campaign}/characters`, { name: `Hero ${i}`, traits: { wits: 3 } })),
  )
  for (let i = 0; i < SMALLEST_SIZE - 100; i += 100) {
    const user_ids = users.slice(i, i + 100).map(({ id }) => id)
    await call(port, post(`${campaignPath}/experience/awards`, { amount: 3, reason: 'The first evening', user_ids }))
  }
  await inBatches(80, () =>
    call(port, post(`${campaignPath}/experience/awards`, { amount: 10_000, reason: 'To be spent', user_ids: [company.player] })),
  )
  const pool = { traits: ['strength', 'brawl'], difficulty: 7 }
  await inBatches(SMALLEST_SIZE, (i) =>
    call(port, post(`${userPath}/dice-rolls`, { pool, character_id: character, visibility: i % 10 ? 'PUBLIC' : 'STORYTELLER' })),
  )
}

/** The tables to copy, with their columns that contain ids of the company. */
const COPIED: Record<string, string[]> = {
  users: ['id'],
  campaigns: ['id', 'user_id'],
  members: ['campaign_id', 'user_id'],
  characters: ['id', 'campaign_id', 'user_id'],
  dice_seeds: ['id', 'campaign_id', 'user_id'],
  dice_rolls: ['id', 'user_id', 'campaign_id', 'character_id', 'seed_id'],
  experience_entries: ['id', 'user_id', 'campaign_id', 'character_id', 'awarded_by', 'reverses'],
  experience_balances: ['campaign_id', 'user_id'],
}

/**
 * Creates a company with a multiple of the rows of the smallest one, inside the database. Copies of an id differ in the beginning, in the
 * same way in all tables, so that references stay valid; the last digit varies, because tallies are split by it.
 */
export async function multiply(client: pg.Client, world: World & { owner: string }, port: number, times: number): Promise<void> {
  const smallest = world.sized.get(SMALLEST_SIZE) as Company
  const [, from = ''] = /companies\/([^/]+)/.exec(smallest.base) ?? []
  const { id: to } = await call(port, { method: 'POST', path: '/api/v1/companies', key: world.owner, body: { name: `Bench ${times}` } })
  await client.query(`
    CREATE OR REPLACE FUNCTION pg_temp.copy(id uuid, k int) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
      (substr(lpad(to_hex(1700000000000 + k), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(1700000000000 + k), 12, '0'), 9) || '-'
        || substr(id::text, 15, 21) || to_hex(k % 16))::uuid`)
  await untilSequenced(client)
  // The references of the copies are valid: checking a million of them would only take time.
  await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL enable_seqscan = on; SET LOCAL statement_timeout = 0')
  const columns = await client.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY 1`,
  )
  const columnsOf = (table: string) => columns.rows.find((row) => row.table === table)?.columns as string[]
  for (const [table, ids] of Object.entries(COPIED)) {
    const names = columnsOf(table)
    const value = (name: string) => (name === 'company_id' ? `'${to}'` : ids.includes(name) ? `pg_temp.copy(${name}, k)` : name)
    await client.query(
      `INSERT INTO ${table} (${names}) SELECT ${names.map(value)} FROM generate_series(0, ${times - 1}) k, ${table} WHERE company_id = '${from}'`,
    )
  }
  await copyTallies(client, from, to, times, columnsOf)
  await copyFeed(client, from, to, times)
  for (const table of ['users', 'campaigns'])
    await client.query(`INSERT INTO counters SELECT company_id, '${table}', ('x' || right(id::text, 1))::bit(4)::int, count(*)
      FROM ${table} WHERE company_id = '${to}' GROUP BY 1, 3`)
  await client.query(`INSERT INTO grants SELECT '${to}', id, permission, date_created, date_modified, version FROM grants
    WHERE company_id = '${from}' AND permission = 'USER'`)
  await client.query('COMMIT')
  const { rows } = await client.query(
    `SELECT ${(['player', 'campaign', 'character'] as const).map((name) => `pg_temp.copy('${smallest[name]}', ${Math.floor(times / 2)}) AS ${name}`)}`,
  )
  const base = `/api/v1/companies/${to}`
  world.sized.set(SMALLEST_SIZE * times, { base, userPath: `${base}/users/${rows[0].player}`, ...rows[0] })
}

/** Adds up the tallies: those of users copy by copy, those of the company by the last digit of the campaign. */
async function copyTallies(
  client: pg.Client,
  from: string,
  to: string,
  times: number,
  columnsOf: (table: string) => string[],
): Promise<void> {
  const digest = (...parts: string[]) =>
    `encode(substring(sha256(convert_to(concat_ws(':', ${parts}, t.visibility), 'UTF8')) FOR 16), 'hex')::uuid`
  const userTally = digest(
    'pg_temp.copy(t.campaign_id, k)::text',
    "coalesce(pg_temp.copy(t.character_id, k)::text, '')",
    'pg_temp.copy(t.user_id, k)::text',
  )
  const companyTally = digest('to_hex(k)')
  const copies = `(SELECT k, NULL::int AS n FROM generate_series(0, ${times - 1}) k)`
  const digits = `(SELECT k, (SELECT count(*) FROM generate_series(0, ${times - 1}) x WHERE x % 16 = k)::int AS n FROM generate_series(0, ${Math.min(16, times) - 1}) k)`
  for (const [condition, id, ks] of [
    ['t.user_id IS NOT NULL', userTally, copies],
    ['t.user_id IS NULL', companyTally, digits],
  ] as const) {
    for (const table of ['dice_tallies', 'dice_days', 'dice_faces', 'dice_traits']) {
      const value = (name: string) => {
        if (name === 'company_id') return `'${to}'`
        if (name === (table === 'dice_tallies' ? 'id' : 'tally_id')) return id
        if (['campaign_id', 'character_id', 'user_id'].includes(name)) return `pg_temp.copy(t.${name}, k)`
        if (name === 'faces') return 'ARRAY(SELECT seen * coalesce(n, 1) FROM unnest(x.faces) seen)'
        const counted = !['visibility', 'day', 'sides', 'trait'].includes(name)
        return counted ? `x.${name} * coalesce(n, 1)` : `x.${name}`
      }
      await client.query(`INSERT INTO ${table} (${columnsOf(table)})
        SELECT ${columnsOf(table).map(value)} FROM ${ks} k, dice_tallies t JOIN ${table} x ON x.company_id = t.company_id AND x.${table === 'dice_tallies' ? 'id' : 'tally_id'} = t.id
        WHERE t.company_id = '${from}' AND ${condition}`)
    }
  }
}
