import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { recount } from '../src/cli/recount.ts'
import { sql } from '../src/db/sql.ts'
import { type Recorded, rowsReadBy, setGenericPlans } from './explained.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, call, engine, pooler, url, write } from './harness.ts'
import { recordedApp, statementsOf } from './recorded.ts'

/** The rows of each kind, and the most that a page of ten items in the middle of them may read of a table or index. */
const ROWS = 100_000
const MIDDLE = 50_000
const MAX_READ = 100
const PORTION = 10_000

/** A company, a campaign and a character with many rows of each kind that grows. */
async function newLongLists() {
  const table = await newGameTable()
  const { company_id, campaign_id, teller, player, C } = table
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const old = sql`timestamptz '2020-01-01Z' + n * interval '1 second'`
  const roll = await player.make('/dice-rolls', { notation: '7', campaign_id })
  // In portions, each within the time limit of a statement.
  for (let begin = 0; begin < ROWS; begin += PORTION) {
    const many = sql`generate_series(${begin + 1}::int, ${begin + PORTION}::int) n`
    await write(sql`INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), 'Old ' || n / 3, 'old ' || n / 3, 'PLAYER', ${old}, ${old} FROM ${many}`)
    await write(sql`INSERT INTO notes (company_id, id, author_id, campaign_id, title, name_key, visibility, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), ${teller.id}, ${campaign_id}, 'Old ' || n / 3, 'old ' || n / 3, 'EVERYONE', ${old}, ${old} FROM ${many}`)
    await write(sql`INSERT INTO events (company_id, id, type, resource_type, resource_id, campaign_id, user_id, changes, date_created)
    SELECT ${company_id}, gen_random_uuid(), 'character.updated', 'character', ${hero}, ${campaign_id}, ${player.id}, '{"name": {"old": 1, "new": 2}}', ${old} FROM ${many}`)
    await write(sql`INSERT INTO experience_entries (company_id, id, kind, amount, delta, user_id, campaign_id, reason, awarded_by, date_created)
    SELECT ${company_id}, gen_random_uuid(), 'AWARD', 1, 1, ${player.id}, ${campaign_id}, 'x', ${teller.id}, ${old} FROM ${many}`)
    await write(sql`INSERT INTO dice_rolls (company_id, id, user_id, campaign_id, notation, visibility, dice, total, strained, text, seed_id, client_seed, nonce, words, date_created, date_modified)
    SELECT r.company_id, gen_random_uuid(), r.user_id, r.campaign_id, r.notation, r.visibility, r.dice, r.total, r.strained, r.text, r.seed_id, r.client_seed, r.nonce + n, r.words, ${old}, ${old}
    FROM dice_rolls r, ${many} WHERE r.company_id = ${company_id} AND r.id = ${roll}`)
  }
  await recount(url)
  return { ...table, hero }
}

test('a page by cursor in the middle of 100,000 rows reads its own rows only, in every order that an index has', {
  skip: (pooler || engine === 'citus') && 'the plans of one PostgreSQL with prepared statements are read',
}, async (t) => {
  const { base, key, player, campaign_id, C, hero } = await newLongLists()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(() => client.end())
  await client.query('VACUUM ANALYZE')
  await setGenericPlans(client)
  const own = `/users/${player.id}`
  const dates = ['sort=date_created', 'sort=-date_created']
  const names = ['sort=name', 'sort=-name']
  const changes = ['sort=date_modified', 'sort=-date_modified']
  const lists: [path: string, sorts: string[]][] = [
    ['/users?', [...dates, ...names, ...changes]],
    ['/audit-logs?', dates],
    ['/audit-logs?type=character.updated&', dates],
    [`/audit-logs?resource_id=${hero}&`, dates],
    [`/audit-logs?user_id=${player.id}&`, dates],
    [`${own}${C}/characters/${hero}/history?`, dates],
    [`${own}${C}/experience/entries?`, dates],
    [`${own}${C}/experience/entries?player_id=${player.id}&`, dates],
    [`${own}${C}/notes?`, [...dates, ...names]],
    ['/dice-rolls?', [...dates, ...changes]],
    [`${own}/dice-rolls?`, [...dates, ...changes]],
    [`/dice-rolls?campaign_id=${campaign_id}&`, [...dates, ...changes]],
    [`/dice-rolls?roller_id=${player.id}&`, dates],
  ]
  // A page by offset reads what it skips, which this measure must show.
  const { withValues: byOffset } = await statementsOf<Answer>(() => call('GET', `${base}/users?offset=${MIDDLE}`, { key, on: recordedApp }))
  assert.ok(Math.max(...Object.values(await rowsReadBy(client, byOffset.at(-1) as Recorded, true))) > MIDDLE)
  const tooMany: Record<string, unknown> = {}
  for (const [path, sorts] of lists)
    for (const sort of sorts) {
      const get = (query: string) => call('GET', `${base}${path}${sort}&${query}`, { key, on: recordedApp })
      const { status, text, body } = await get(`limit=1&offset=${MIDDLE}`)
      assert.equal(status, 200, text)
      const { answer, withValues } = await statementsOf<Answer>(() => get(`after=${body.next_cursor}`))
      assert.deepEqual([answer.status, answer.body.items.length], [200, 10], answer.text)
      const read = await rowsReadBy(client, withValues.at(-1) as Recorded, true)
      const most = Math.max(...Object.values(read))
      t.diagnostic(`${path.replaceAll(/[0-9a-f-]{36}/g, '*')}${sort}: ${Math.round(most)}`)
      if (most > MAX_READ) tooMany[`${path}${sort}`] = read
    }
  assert.deepEqual(tooMany, {})
})
