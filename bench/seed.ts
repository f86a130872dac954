import type pg from 'pg'
import { connect } from '../server/src/db/client.ts'
import { createDeveloper } from '../server/src/resources/developers/queries.ts'
import { issueKey } from '../server/src/resources/keys/queries.ts'
import { type Ask, call } from './load.ts'

/** A company at play, and who does what there. */
export interface Company {
  base: string
  player: string
  /** Below whose path the player acts. */
  as: string
  campaign: string
  character: string
}

export interface World {
  /** For what reads, or plays on behalf of users. */
  key: string
  /** Over these, writes and rolls are spread. */
  companies: Company[]
  /** Companies alike but for their size. */
  sized: Map<number, Company>
}

/** How many there are of everything in the smallest of the sized companies; the others are copies of it, many times over. */
const SMALLEST = 1000
const CHARACTERS = 20

export async function newWorld(url: string, port: number, count: number): Promise<World & { owner: string }> {
  const db = connect(url, { readers: 1, writers: 1 })
  const [owner, player] = await Promise.all(
    ['Bench owner', 'Bench player'].map((name) =>
      db.transaction(async (tx) => {
        const { id } = (await createDeveloper(tx, { name, is_global_admin: false })).reply
        return { id, key: (await issueKey(tx, id)).reply.key }
      }),
    ),
  )
  await db.close()
  if (!owner || !player) throw new Error('no developers')
  const companies = await inTurn(count, () => newCompany(port, owner.key, player.id))
  const smallest = await newCompany(port, owner.key, player.id)
  await fill(port, owner.key, smallest)
  return { key: player.key, owner: owner.key, companies, sized: new Map([[SMALLEST, smallest]]) }
}

/** Some at a time, so that a big world is made in seconds. */
async function inTurn<T>(count: number, make: (i: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let i = 0; i < count; i += 20)
    made.push(...(await Promise.all(Array.from({ length: Math.min(20, count - i) }, (_, j) => make(i + j)))))
  return made
}

async function newCompany(port: number, key: string, guest: string): Promise<Company> {
  const post = async (path: string, body: unknown) => (await call(port, { method: 'POST', path, key, body })).id
  const base = `/api/v1/companies/${await post('/api/v1/companies', { name: 'Bench' })}`
  await call(port, { method: 'PUT', path: `${base}/developers/${guest}`, key, body: { permission: 'USER' } })
  const [teller, player] = [
    await post(`${base}/users`, { name: 'Teller', role: 'STORYTELLER' }),
    await post(`${base}/users`, { name: 'Player', role: 'PLAYER' }),
  ]
  const campaign = await post(`${base}/users/${teller}/campaigns`, { name: 'Fall of Kingsport' })
  const C = `campaigns/${campaign}`
  const character = await post(`${base}/users/${player}/${C}/characters`, { name: 'Crane', traits: { strength: 3, brawl: 2 } })
  const award = { amount: 10_000, reason: 'To be spent', user_ids: [player] }
  for (let i = 0; i < 20; i++) await post(`${base}/users/${teller}/${C}/experience/awards`, award)
  const all = { teller, player, campaign, character }
  return { base, as: `${base}/users/${player}`, ...all } as Company
}

/** A thousand users, rolls and entries of the ledger, in one campaign. */
async function fill(port: number, key: string, company: Company & { teller?: string }): Promise<void> {
  const { base, as, campaign, character, teller } = company
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, key, body })
  const users = await inTurn(SMALLEST - 2, (i) => call(port, post(`${base}/users`, { name: `Player ${i}`, role: 'PLAYER' })))
  const C = `${base}/users/${teller}/campaigns/${campaign}`
  await inTurn(CHARACTERS - 1, (i) =>
    call(port, post(`${as}/campaigns/${campaign}/characters`, { name: `Hero ${i}`, traits: { wits: 3 } })),
  )
  for (let i = 0; i < SMALLEST - 100; i += 100) {
    const user_ids = users.slice(i, i + 100).map(({ id }) => id)
    await call(port, post(`${C}/experience/awards`, { amount: 3, reason: 'The first evening', user_ids }))
  }
  await inTurn(80, () => call(port, post(`${C}/experience/awards`, { amount: 10_000, reason: 'To be spent', user_ids: [company.player] })))
  const pool = { traits: ['strength', 'brawl'], difficulty: 7 }
  await inTurn(SMALLEST, (i) =>
    call(port, post(`${as}/dice-rolls`, { pool, character_id: character, visibility: i % 10 ? 'PUBLIC' : 'STORYTELLER' })),
  )
}

/** Tables of a company, with their columns that hold ids of it. */
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
 * Makes a company of so many times what another has, by the database itself. Every copy of an id has the same end and its own
 * beginning, so that all still fit together; its last digit goes round, since that is what tallies are spread by.
 */
export async function multiply(client: pg.Client, world: World & { owner: string }, port: number, times: number): Promise<void> {
  const smallest = world.sized.get(SMALLEST) as Company
  const [, from = ''] = /companies\/([^/]+)/.exec(smallest.base) ?? []
  const { id: to } = await call(port, { method: 'POST', path: '/api/v1/companies', key: world.owner, body: { name: `Bench ${times}` } })
  await client.query(`
    CREATE OR REPLACE FUNCTION pg_temp.copy(id uuid, k int) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
      (substr(lpad(to_hex(1700000000000 + k), 12, '0'), 1, 8) || '-' || substr(lpad(to_hex(1700000000000 + k), 12, '0'), 9) || '-'
        || substr(id::text, 15, 21) || to_hex(k % 16))::uuid`)
  // The copies fit together as the original does: checking a million references again would only take time.
  await client.query('BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL enable_seqscan = on; SET LOCAL statement_timeout = 0')
  const columns = await client.query<{ table: string; columns: string[] }>(
    `SELECT table_name AS table, array_agg(column_name::text) AS columns FROM information_schema.columns
     WHERE table_schema = 'public' AND is_generated = 'NEVER' GROUP BY 1`,
  )
  const of = (table: string) => columns.rows.find((row) => row.table === table)?.columns as string[]
  for (const [table, ids] of Object.entries(COPIED)) {
    const names = of(table)
    const value = (name: string) => (name === 'company_id' ? `'${to}'` : ids.includes(name) ? `pg_temp.copy(${name}, k)` : name)
    await client.query(
      `INSERT INTO ${table} (${names}) SELECT ${names.map(value)} FROM generate_series(0, ${times - 1}) k, ${table} WHERE company_id = '${from}'`,
    )
  }
  await tallies(client, from, to, times, of)
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
  world.sized.set(SMALLEST * times, { base, as: `${base}/users/${rows[0].player}`, ...rows[0] })
}

/** What was rolled is added up: for who rolled, copy by copy; for the company, by the last digit of the campaign. */
async function tallies(client: pg.Client, from: string, to: string, times: number, of: (table: string) => string[]): Promise<void> {
  const digest = (...parts: string[]) =>
    `encode(substring(sha256(convert_to(concat_ws(':', ${parts}, t.visibility), 'UTF8')) FOR 16), 'hex')::uuid`
  const own = digest(
    'pg_temp.copy(t.campaign_id, k)::text',
    "coalesce(pg_temp.copy(t.character_id, k)::text, '')",
    'pg_temp.copy(t.user_id, k)::text',
  )
  const all = digest('to_hex(k)')
  const copies = `(SELECT k, NULL::int AS n FROM generate_series(0, ${times - 1}) k)`
  const digits = `(SELECT k, (SELECT count(*) FROM generate_series(0, ${times - 1}) x WHERE x % 16 = k)::int AS n FROM generate_series(0, ${Math.min(16, times) - 1}) k)`
  for (const [of_whom, id, ks] of [
    ['t.user_id IS NOT NULL', own, copies],
    ['t.user_id IS NULL', all, digits],
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
      await client.query(`INSERT INTO ${table} (${of(table)})
        SELECT ${of(table).map(value)} FROM ${ks} k, dice_tallies t JOIN ${table} x ON x.company_id = t.company_id AND x.${table === 'dice_tallies' ? 'id' : 'tally_id'} = t.id
        WHERE t.company_id = '${from}' AND ${of_whom}`)
    }
  }
}
