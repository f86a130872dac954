import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { test } from 'node:test'
import { createGzip, gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { tablesOf } from '../src/db/backup/format.ts'
import { migrate, migrations } from '../src/db/migrate.ts'
import { compile } from '../src/db/sql.ts'
import { invariants } from '../src/resources/declarations.ts'
import { foldTallies } from '../src/resources/dice-rolls/fold.ts'
import { newGameTable } from './game-table.ts'
import { db, newDatabase, pooler, url } from './harness.ts'
import { guildhall, launch, newFolder } from './service.ts'
import { repeat, until } from './until.ts'

const folder = dirname(newFolder())
const fileOf = (name: string) => join(folder, name)
const run = (args: string[], database: string) => guildhall(args, { DATABASE_URL: database })

/** Returns every row of every table, as text. */
async function everything(database: string): Promise<Record<string, string[]>> {
  const client = new pg.Client(database)
  await client.connect()
  const all: Record<string, string[]> = {}
  for (const { table } of await tablesOf(client)) {
    const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY 1`)
    all[table] = rows.map(({ row }) => row)
  }
  await client.end()
  return all
}

/** Leaves out the rows that a restore changes: the current dice seeds and their events, the number of such events, and the epoch of the feeds. */
const kept = ({
  dice_seeds: _,
  feed_state: __,
  feed_heads = [],
  events = [],
  ...rest
}: Record<string, string[]>): Record<string, string[]> => ({
  ...rest,
  feed_heads: feed_heads.map((row) => row.replace(/,-?\d+\)$/, '')).filter((row) => !row.endsWith(',1,0')),
  events: events.filter((row) => !row.includes(',dice_seed.rotated,')),
})

test('a backup taken under load is a consistent snapshot, and restores to it, row by row', async () => {
  const { teller, player, campaign_id, C } = await newGameTable()
  const perCharacter = `/campaigns/${await teller.make('/campaigns', { name: 'Per character', experience_per: 'CHARACTER' })}`
  await player.make(`${perCharacter}/characters`, { name: 'Hero' })
  await teller.post(`${perCharacter}/experience/awards`, { amount: 1, reason: 'x', to: 'MEMBERS' })
  await player.make(`${C}/characters`, { name: 'Zo\u00eb "the \\ tab\t"\nNewline', biography: '\\. and \\N and \u{1F3B2}' })
  let rounds = 0
  const stop = repeat(async (i) => {
    await player.post('/dice-rolls', { notation: '3d6', campaign_id })
    await teller.post(`${C}/experience/awards`, { amount: 1, reason: 'x', user_ids: [player.id] })
    await teller.post(`${C}/notes`, { title: `Note ${i}` })
    if (i % 3 === 0) await foldTallies(db)
    rounds++
  }, 3)
  const untilMore = (enough = rounds + 5) => until(() => rounds > enough, 'more writes')
  await untilMore()
  const file = fileOf('under-load.backup')
  const { code, output } = await run(['backup', file], url)
  assert.deepEqual([code, /^Wrote .* rows to /m.test(output)], [0, true], output)
  await untilMore()
  await stop()
  assert.equal(statSync(file).mode & 0o777, 0o600)

  const copy = await newDatabase({ empty: true })
  const done = await run(['restore', file], copy)
  assert.equal(done.code, 0, done.output)
  const [now, then] = [await everything(url), await everything(copy)]
  // The snapshot is a subset of the current rows, and consistent: all references are valid.
  assert.equal(then.experience_character_balances?.length, 1)
  const stateOf = ({ feed_state: [row = ''] = [] }: Record<string, string[]>) => row.split(',')
  assert.equal(stateOf(then)[3], stateOf(now)[3], 'cursors can be read')
  assert.notEqual(stateOf(then)[1], stateOf(now)[1], 'and are of another epoch')
  assert.ok((then.dice_rolls?.length ?? 0) < (now.dice_rolls?.length ?? 0), 'others went on writing')
  for (const [table, rows] of Object.entries(kept(then))) {
    if (['tally_queue', 'dice_tallies', 'dice_days', 'dice_faces', 'experience_balances', 'api_keys'].includes(table)) continue
    const known = new Set(now[table])
    assert.deepEqual(
      rows.filter((row) => !known.has(row)),
      [],
      table,
    )
  }
  const again = fileOf('again.backup')
  assert.equal((await run(['backup', again], copy)).code, 0)
  const second = await newDatabase({ empty: true })
  assert.equal((await run(['restore', again], second)).code, 0)
  assert.deepEqual(kept(await everything(second)), kept(then), 'row for row')
  const client = new pg.Client(second)
  await client.connect()
  const { rows } = await client.query(
    `SELECT coalesce(sum(rolls), 0) + (SELECT count(*) FROM tally_queue) AS counted, (SELECT count(*) FROM dice_rolls) AS rolls
     FROM dice_tallies WHERE user_id IS NULL`,
  )
  assert.equal(rows[0].counted, rows[0].rolls)
  const total = invariants().find(({ check }) => check === 'events') as ReturnType<typeof invariants>[0]
  assert.deepEqual((await client.query(compile(total.violations()))).rows, [], 'the events of replaced seeds are counted')
  await client.end()
  assert.deepEqual((await run(['migrate'], second)).output, 'The database is up to date.\n')
})

test('a damaged, foreign or newer backup, or a database that is not empty, is refused, and nothing is changed', async () => {
  const file = fileOf('good.backup')
  assert.equal((await run(['backup', file], url)).code, 0)
  const refused = async (name: string, bytes: Buffer | string, sentence: RegExp, prepared = false) => {
    writeFileSync(fileOf(name), bytes)
    const empty = await newDatabase({ empty: true })
    const { code, output } = await run(['restore', fileOf(name)], empty)
    assert.deepEqual([code, sentence.test(output)], [1, true], output)
    const left = await everything(empty)
    // A migration makes the row of this table.
    delete left.feed_state
    assert.deepEqual(prepared ? Object.values(left).flat() : left, prepared ? [] : {})
  }
  const bytes = readFileSync(file)
  const plain = gunzipSync(bytes).toString()
  await refused('cut.backup', bytes.subarray(0, bytes.length - 100), /damaged/)
  await refused('turned.backup', gzipSync(plain.replace('Test company', 'Best company')), /checksum is wrong/)
  await refused('headless.backup', gzipSync('hello\n'), /damaged/)
  await refused('text.backup', 'hello', /damaged/)
  await refused('endless.backup', gzipSync(plain.slice(0, plain.lastIndexOf('\n{"rows"') + 1)), /damaged/)
  await refused('newer.backup', gzipSync(resealed(plain.replace(/"migration":\d+/, '"migration":9999'))), /newer Guildhall/)
  const foreign = plain.replace(/\n(?=\{"rows")/, '\n{"table":"pg_authid","columns":["rolname"]}\nevil\n\\\\.\n')
  await refused('hostile.backup', gzipSync(resealed(foreign)), /unknown table pg_authid/, true)
  const { code, output } = await run(['restore', file], url)
  assert.deepEqual([code, output], [1, 'This database is not empty. Restore into a new one. Nothing was restored.\n'])
  assert.match((await run(['restore', fileOf('none')], url)).output, /There is no file/)
  assert.match((await run(['backup', file], url)).output, /already exists/)
  assert.match((await run(['backup', '/nowhere/at/all'], url)).output, /cannot be written/)
  assert.equal(existsSync(`${file}.partial`), false)
})

/** Returns a changed backup with a matching checksum. */
function resealed(plain: string): string {
  const at = plain.lastIndexOf('\n{"rows"') + 1
  const { rows } = JSON.parse(plain.slice(at)) as { rows: number }
  const { createHash } = process.getBuiltinModule('node:crypto')
  return `${plain.slice(0, at)}${JSON.stringify({ rows, sha256: createHash('sha256').update(plain.slice(0, at)).digest('hex') })}\n`
}

test('a backup of an older schema is migrated', async () => {
  const older = await newDatabase({ empty: true })
  await migrate(older, { known: migrations().filter(({ version }) => version <= 8), pooler })
  const client = new pg.Client(older)
  await client.connect()
  await client.query(
    "INSERT INTO developers (id, name, name_key, is_global_admin, date_created, date_modified) VALUES (gen_random_uuid(), 'Old', 'old', true, now(), now())",
  )
  await client.end()
  const file = fileOf('older.backup')
  // Written as by that version, without migrating.
  assert.equal((await run(['backup', file], older)).code, 0)
  const copy = await newDatabase({ empty: true })
  const { code, output } = await run(['restore', file], copy)
  assert.equal(code, 0, output)
  assert.equal((await everything(copy)).developers?.length, 1)
  assert.equal((await run(['migrate'], copy)).output, 'The database is up to date.\n')
})

/** Runs a command, and returns its maximum memory in MB. */
async function peakOf(args: string[], database: string): Promise<number> {
  const { child, output } = launch(args, { DATABASE_URL: database })
  let peak = 0
  const watch = setInterval(() => {
    try {
      peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? peak)
    } catch {}
  }, 20)
  const [code] = await once(child, 'close')
  clearInterval(watch)
  assert.equal(code, 0, output())
  return peak / 1024
}

test('memory does not grow with the rows', { skip: process.platform !== 'linux' && 'memory is read in /proc' }, async (t) => {
  const peaks: number[] = []
  for (const count of [1000, 100_000]) {
    const big = await newDatabase()
    const client = new pg.Client(big)
    await client.connect()
    await client.query(`INSERT INTO developers (id, name, name_key, is_global_admin, date_created, date_modified)
      SELECT gen_random_uuid(), repeat(md5(i::text), 3), md5(i::text), false, now(), now() FROM generate_series(1, ${count}) i`)
    await client.end()
    const file = fileOf(`${count}.backup`)
    const copy = await newDatabase({ empty: true })
    peaks.push(await peakOf(['backup', file], big), await peakOf(['restore', file], copy))
    assert.equal((await everything(copy)).developers?.length, count)
  }
  t.diagnostic(`backup and restore of 1,000 rows, then of 100,000: ${peaks.map((peak) => `${peak.toFixed(0)} MB`).join(', ')}`)
  for (const [few, many] of [
    [peaks[0], peaks[2]],
    [peaks[1], peaks[3]],
  ])
    assert.ok((many as number) < (few as number) + 120, peaks.join(' '))
})

test('a file that decompresses without end is refused', async () => {
  const copy = await newDatabase({ empty: true })
  const bomb = fileOf('bomb.backup')
  await pipeline(createReadStream('/dev/zero', { end: 50_000_000 }), createGzip(), createWriteStream(bomb))
  assert.match((await run(['restore', bomb], copy)).output, /damaged/)
})
