import assert from 'node:assert/strict'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { tablesOf } from '../src/db/backup/format.ts'
import { distributeTables } from '../src/db/distribute.ts'
import { migrate, migrations } from '../src/db/migrate.ts'
import { foldTallies } from '../src/resources/dice-rolls/fold.ts'
import { type Cluster, createClusterDatabase, FEW_SHARDS, missingCitus, runAt, startCitus, urlOfNode } from './citus.ts'
import { sequenceAll } from './follower.ts'
import { newGameTable } from './game-table.ts'
import { db, newDatabase, url as plain } from './harness.ts'
import { guildhall, launch, newFolder } from './service.ts'
import { until } from './until.ts'

const folder = dirname(newFolder())
/** Distributing takes a minute on a slow machine. */
const SLOW = { timeout: 600_000 }

const run = (args: string[], url: string) => guildhall(args, { DATABASE_URL: url, DATABASE_POOLER: 'none' })
async function runs(args: string[], url: string): Promise<string> {
  const { code, output } = await run(args, url)
  assert.equal(code, 0, output)
  return output
}
async function refuses(args: string[], url: string, sentence: RegExp): Promise<void> {
  const { code, output } = await run(args, url)
  assert.deepEqual([code, sentence.test(output)], [1, true], output)
}

interface Finding {
  check: string
  state: string
  found: string
  remedy?: string
}
/** Runs the doctor. Returns its findings by check, and the wrong ones. */
async function examine(url: string) {
  const { code, output } = await run(['doctor', '--json'], url)
  const findings = JSON.parse(output) as Finding[]
  const wrong = findings.filter(({ state }) => state === 'wrong')
  return { code, wrong, of: (check: string) => findings.find((finding) => finding.check === check) }
}

/** Returns every row of every table as text. */
async function everything(url: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(url)
  await client.connect()
  const all: Record<string, string[]> = {}
  for (const { table } of await tablesOf(client)) {
    // The last use of a key is written a moment after it.
    const row = table === 'api_keys' ? '(SELECT k FROM (SELECT t.id, t.developer_id, t.key_hash) k)' : 't'
    const { rows } = await client.query<{ row: string }>(`SELECT ${row}::text AS row FROM ${table} t`)
    all[table] = rows.map(({ row }) => row).sort()
  }
  await client.end()
  return all
}

/** Leaves out what a restore changes: the current dice seeds with their events, the number of such events, and the epoch of the feeds. */
const kept = ({
  dice_seeds: _,
  events = [],
  feed_heads = [],
  feed_state = [],
  ...rest
}: Record<string, string[]>): Record<string, string[]> => ({
  ...rest,
  feed_heads: feed_heads.map((row) => row.replace(/,-?\d+\)$/, '')),
  feed_state: feed_state.map((row) => row.replace(/,[\da-f-]{36},/, ',,')),
  events: events.filter((row) => !row.includes(',dice_seed.rotated,')),
})

/** Returns the tables that the coordinator knows to be distributed. */
const distributed = async (url: string) =>
  (await runAt<{ name: string }>(url, 'SELECT logicalrelid::text AS name FROM pg_dist_partition ORDER BY 1')).map(({ name }) => name)

/** Writes rows of many kinds on one PostgreSQL, in two companies, and returns the file of a backup. */
async function backupOfTwoCompanies(): Promise<string> {
  for (let i = 0; i < 2; i++) {
    const { player, teller, campaign_id, C } = await newGameTable()
    const hero = await player.make(`${C}/characters`, { name: 'Hero', traits: { wits: 3, charm: 0 } })
    await player.make('/dice-rolls', { notation: '4d6kh3+2' })
    await player.make('/dice-rolls', { notation: '9dF', campaign_id })
    await player.make('/dice-rolls', { pool: { traits: ['wits', 'charm'], difficulty: 6 }, character_id: hero })
    await teller.make('/dice-rolls', { notation: '2d10', campaign_id, visibility: 'STORYTELLER' })
    await teller.post(`${C}/experience/awards`, { amount: 5, reason: 'x', user_ids: [player.id] })
    await teller.make(`${C}/notes`, { title: 'A "note" \\ with\ttabs' })
    const book = await teller.make(`${C}/books`, { name: 'Book' })
    await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  }
  await sequenceAll()
  await foldTallies(db)
  const file = join(folder, 'plain.backup')
  await runs(['backup', file], plain)
  return file
}

describe('on a Citus cluster', { skip: missingCitus() }, () => {
  let cluster: Cluster
  let file: string
  let count = 0
  const newClusterDatabase = () => createClusterDatabase(cluster.nodes, `test_${count++}`)

  before(async () => {
    cluster = await startCitus(join(folder, 'cluster'), FEW_SHARDS)
    file = await backupOfTwoCompanies()
  })
  after(() => cluster?.stop())

  test('distribute refuses a database that is not ready, with the remedy', SLOW, async () => {
    await refuses(['distribute'], plain, /not part of a Citus cluster.*CREATE EXTENSION citus/)
    const pending = migrations().length
    await refuses(['distribute'], cluster.url, new RegExp(`${pending} migrations are pending\\. Run guildhall migrate first`))
    await runs(['migrate'], cluster.url)
    const worker = urlOfNode(cluster.nodes[1]?.port ?? 0, 'guildhall')
    await refuses(['distribute'], worker, /is a worker of the cluster\. Set DATABASE_URL to the coordinator/)
    await runAt(cluster.url, 'CREATE TABLE strays (id int)')
    await refuses(['distribute'], cluster.url, /Table strays is not declared/)
    await runAt(cluster.url, 'DROP TABLE strays')
    assert.equal((await examine(cluster.url)).of('cluster')?.state, 'warning')
    assert.deepEqual(await distributed(cluster.url), [])
  })

  test('a dry run prints the statements and changes nothing; distribute runs them once', SLOW, async () => {
    const { url } = cluster
    // As a function from a time before the extension, which Citus does not know.
    const function_ = "CREATE FUNCTION thrice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 3 * n'"
    await runAt(url, 'SET citus.enable_ddl_propagation = off', function_)
    const output = await runs(['distribute', '--dry-run'], url)
    assert.match(
      output,
      /^SELECT create_distributed_function\('thrice\(integer\)'\);\nSELECT create_reference_table\('public\.developers'\);/,
    )
    assert.match(output, /^SELECT create_distributed_table\('public\.users', 'company_id', colocate_with => 'public\.companies'\);/m)
    assert.deepEqual(await distributed(url), [])
    const { dry_run, statements } = JSON.parse(await runs(['distribute', '--dry-run', '--json'], url))
    assert.deepEqual([dry_run, statements.map((statement: string) => `${statement};\n`).join('')], [true, output])

    assert.match(
      await runs(['distribute'], url),
      /^Distributed developers, api_keys, console_sessions, feed_state, schema_migrations, companies, rulesets, /,
    )
    assert.equal(await runs(['distribute'], url), 'Nothing is left to do: every table is distributed.\n')
    assert.equal(await runs(['migrate'], url), 'The database is up to date.\n')
    const workers = await runAt<{ result: string }>(url, "SELECT result FROM run_command_on_workers('SELECT thrice(2)')")
    assert.deepEqual(
      workers.map(({ result }) => result),
      ['6', '6'],
    )
    const { wrong, of } = await examine(url)
    assert.deepEqual(wrong, [])
    assert.match(of('cluster')?.found ?? '', /^Citus [\d.]+, 2 workers, seen from the coordinator$/)
    assert.match(of('shards')?.found ?? '', /has 2 with 0 companies.* has 2 with 0 companies/)
    assert.equal(of('worker settings')?.state, 'good')
  })

  test('a backup of one PostgreSQL can be restored into a distributed database, and back', SLOW, async () => {
    const { url } = cluster
    await runs(['restore', file], url)
    const [before, after] = [await everything(plain), await everything(url)]
    assert.deepEqual(kept(after), kept(before))
    assert.notDeepEqual(after.feed_state, before.feed_state, 'a new epoch of the feeds')
    assert.equal(after.dice_seeds?.length, (before.dice_seeds?.length ?? 0) * 2, 'every current seed is revealed and replaced')
    assert.deepEqual((await examine(url)).wrong, [])

    const back = join(folder, 'cluster.backup')
    await runs(['backup', back], url)
    const copy = await newDatabase({ empty: true })
    await runs(['restore', back], copy)
    assert.deepEqual(kept(await everything(copy)), kept(after))
    assert.deepEqual((await examine(copy)).wrong, [])
  })

  test('recount rebuilds every count of a distributed database', SLOW, async () => {
    const { url } = cluster
    const before = await everything(url)
    await runAt(
      url,
      'UPDATE dice_tallies SET rolls = rolls + 7',
      'DELETE FROM dice_days',
      'DELETE FROM dice_traits',
      'UPDATE dice_faces SET faces = array_fill(3::bigint, ARRAY[sides])',
      'UPDATE counters SET count = count + 1',
    )
    const { wrong } = await examine(url)
    assert.deepEqual(
      wrong.map(({ check }) => check),
      ['statistics', 'totals'],
    )
    await runs(['recount'], url)
    assert.deepEqual(await everything(url), before)
  })

  test('a table that is local to the coordinator is found by the doctor, and distributed by migrate', SLOW, async () => {
    const { url } = cluster
    const rows = await runAt<{ row: string }>(url, 'SELECT c::text AS row FROM counters c ORDER BY 1')
    const [{ text } = { text: '' }] = migrations().filter(({ version }) => version === 14)
    // As if a process had been killed between a migration and the distribution of its table, which holds rows already.
    await runAt(url, 'CREATE TABLE kept_counters AS SELECT * FROM counters', 'DROP TABLE counters', text)
    await runAt(url, 'INSERT INTO counters SELECT * FROM kept_counters', 'DROP TABLE kept_counters')
    const { code, of } = await examine(url)
    assert.deepEqual([code, of('tables')?.state, of('tables')?.remedy], [1, 'wrong', 'Run guildhall distribute.'])
    assert.match(of('tables')?.found ?? '', /^counters: on the coordinator only instead of distributed by company_id$/)
    assert.equal(await runs(['migrate'], url), 'The database is up to date.\n')
    assert.deepEqual((await examine(url)).wrong, [])
    assert.deepEqual(await runAt(url, 'SELECT c::text AS row FROM counters c ORDER BY 1'), rows)
  })

  test('a migration that adds a table which is not declared is refused as a whole', SLOW, async () => {
    const next = { version: 9999, name: '9999_next.sql', checksum: 'x', text: 'CREATE TABLE next_things (id int)' }
    await assert.rejects(migrate(cluster.url, { known: [...migrations(), next] }), /Table next_things is not declared/)
    assert.deepEqual(await runAt(cluster.url, "SELECT to_regclass('next_things') AS found"), [{ found: null }])
  })

  test('a worker that cannot be reached is found by the doctor, and is good again when it is back', SLOW, async () => {
    const [, worker] = cluster.nodes
    await worker?.kill()
    const { code, of } = await examine(cluster.url)
    assert.deepEqual([code, of('workers')?.state, of('totals')], [1, 'wrong', undefined])
    assert.match(of('workers')?.found ?? '', new RegExp(`^127\\.0\\.0\\.1:${worker?.port} cannot be reached from `))
    await worker?.start()
    assert.deepEqual((await examine(cluster.url)).wrong, [])
  })

  test('distribute that is killed halfway leaves nothing behind, and moves all rows when it runs again', SLOW, async () => {
    const url = await newClusterDatabase()
    await runs(['restore', file], url)
    const before = await everything(url)
    const { child, output } = launch(['distribute'], { DATABASE_URL: url, DATABASE_POOLER: 'none' })
    const activity = "SELECT query FROM pg_stat_activity WHERE application_name = 'guildhall-distribute' AND datname = current_database()"
    const observer = new pg.Client(url)
    await observer.connect()
    await until(async () => {
      assert.equal(child.exitCode, null, output())
      const [session] = (await observer.query<{ query: string }>(activity)).rows
      return /create_distributed_table\('public\.campaigns'/.test(session?.query ?? '')
    }, output)
    await observer.end()
    child.kill('SIGKILL')
    await once(child, 'close')
    await until(async () => (await runAt(url, activity)).length === 0, 'the end of its session')
    assert.deepEqual(await distributed(url), [])
    assert.deepEqual(await everything(url), before)

    await runs(['distribute'], url)
    assert.deepEqual(await everything(url), before)
    assert.deepEqual((await examine(url)).wrong, [])
    const left = "SELECT sum(pg_relation_size(logicalrelid))::int AS bytes FROM pg_dist_partition WHERE partmethod = 'h'"
    assert.deepEqual(await runAt(url, left), [{ bytes: 0 }], 'the coordinator keeps no copy of the rows')
  })

  test('an owner who is not a superuser can distribute, and every node stores the settings of this role', SLOW, async () => {
    const url = await newClusterDatabase()
    const { pathname } = new URL(url)
    await runAt(url, 'CREATE ROLE keeper LOGIN', `ALTER DATABASE ${pathname.slice(1)} OWNER TO keeper`)
    const own = url.replace('guildhall@', 'keeper@')
    await runs(['migrate'], own)
    await runs(['distribute'], own)
    const { wrong, of } = await examine(own)
    assert.deepEqual([wrong, of('worker settings')?.state], [[], 'good'])
    const shown = "SELECT DISTINCT result FROM run_command_on_workers('SHOW pg_trgm.word_similarity_threshold')"
    assert.deepEqual(await runAt(own, shown), [{ result: '0.4' }])
    // Behind a pooler, all settings are defaults of the role.
    const pooled = await guildhall(['migrate'], { DATABASE_URL: own, DATABASE_POOLER: 'transaction' })
    assert.equal(pooled.code, 0, pooled.output)
    assert.deepEqual(await runAt(own, "SELECT current_setting('plan_cache_mode') AS mode"), [{ mode: 'auto' }])
  })

  test('a database that is distributed at migration 0012 is fully distributed after the others', SLOW, async () => {
    const url = await newClusterDatabase()
    const known = migrations().filter(({ version }) => version <= 12)
    await migrate(url, { known })
    const client = new pg.Client(url)
    await client.connect()
    await distributeTables(client, { known })
    await client.end()
    await runAt(url, ...OLD_ROWS)
    assert.match(await runs(['migrate'], url), /^Applied 0013_plant_seeds\.sql, 0014_counters\.sql, /)
    assert.equal(await runs(['distribute'], url), 'Nothing is left to do: every table is distributed.\n')
    assert.deepEqual((await examine(url)).wrong, [])
    assert.deepEqual(await runAt(url, "SELECT sum(count)::int AS users FROM counters WHERE collection = 'users'"), [{ users: 20 }])
    assert.deepEqual(await runAt(url, 'SELECT count(*)::int AS seeds FROM dice_seeds'), [{ seeds: 20 }])
  })
})

/** Companies and users as version 0012 wrote them, without counters and seeds. */
const OLD_ROWS = [
  `INSERT INTO companies (id, name, name_key, settings, date_created, date_modified)
    SELECT gen_random_uuid(), 'Company ' || i, 'company ' || i, '{"campaign_creation":"ANYONE"}', now(), now() FROM generate_series(1, 10) i`,
  `INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT id, gen_random_uuid(), 'User ' || i, 'user ' || i, 'PLAYER', now(), now() FROM companies CROSS JOIN generate_series(1, 2) i`,
]
