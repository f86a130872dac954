import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../src/db/sql.ts'
import { MAX_RESPONSE_BYTES } from '../src/http/request/response-size.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, type Body, call, write } from './harness.ts'

const LONG = 'é'.repeat(1001)
const CUT = 'é'.repeat(1000)

test('lists cut long texts and mark them as truncated, a single resource has the whole text', async () => {
  const { base, key, teller, C } = await newGameTable()
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Book' })}`
  const npc = `${C}/characters/${await teller.make(`${C}/characters`, { name: 'Npc', type: 'NPC' })}`
  const collections: [path: string, field: string, otherFields?: object][] = [
    ['/campaigns', 'description'],
    [`${C}/characters`, 'biography', { type: 'NPC' }],
    [`${npc}/inventory`, 'description'],
    [`${C}/books`, 'description'],
    [`${book}/chapters`, 'description'],
    ...['', C, book, npc].map((parent): [string, string] => [`${parent}/notes`, 'body']),
  ]
  for (const [path, field, otherFields] of collections) {
    const name = path.endsWith('notes') ? 'title' : 'name'
    const make = (text: string | null) => teller.make(path, { [name]: 'Text', [field]: text, ...otherFields })
    const [long, exact, none] = [await make(LONG), await make(CUT), await make(null)]
    const { items } = (await teller.get(`${path}?limit=100`)).body
    const listed = [long, exact, none].map((id) => items.find((item) => item.id === id) as Body)
    assert.deepEqual(
      listed.map((item) => [item[field], item.truncated]),
      [
        [CUT, true],
        [CUT, false],
        [null, false],
      ],
      path,
    )
    const { body } = await teller.get(`${path}/${long}`)
    assert.deepEqual([body[field], 'truncated' in body], [LONG, false], path)
  }
  await call('PATCH', base, { key, body: { description: LONG } })
  const [company] = (await call('GET', '/api/v1/companies', { key })).body.items
  assert.deepEqual([company?.description, company?.truncated], [CUT, true])
  assert.equal((await call('GET', base, { key })).body.description, LONG)
})

test('lists cut long texts with every sort order, search and offset', async () => {
  const { company_id, player } = await newGameTable()
  await write(sql`
    INSERT INTO notes (company_id, id, author_id, title, name_key, body, visibility, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), ${player.id}, 'Lantern ' || n, 'lantern ' || n, ${LONG}, 'AUTHOR', now(), now() FROM generate_series(1, 1002) n`)
  for (const query of ['sort=name', 'sort=-name', 'q=lantern', 'offset=1000', 'offset=1000&sort=name', 'archived=true']) {
    const { items, total } = (await player.get(`/notes?limit=2&${query}`)).body
    if (query === 'archived=true') assert.equal(total, 0)
    else assert.deepEqual([total, ...items.map(({ body, truncated }) => body === CUT && truncated)], [1002, true, true], query)
  }
})

test('a hundred characters with a hundred notes of 20,000 characters each fit into one response', async (t) => {
  const { company_id, campaign_id, teller, C } = await newGameTable()
  // A control character takes the most bytes in JSON.
  const text = (length: number) => sql`repeat(E'\\u0001', ${sql.number(length)})`
  const commonValues = sql`${company_id}, gen_random_uuid(), now(), now()`
  await write(sql`
    INSERT INTO characters (company_id, id, date_created, date_modified, campaign_id, type, name, name_key, status, concept, biography, traits, details, visibility)
    SELECT ${commonValues}, ${campaign_id}, 'NPC', ${text(100)}, 'x', 'RETIRED', ${text(500)}, ${text(10_000)},
      (SELECT jsonb_object_agg(rpad('t' || t, 64, 'x'), -1000000) FROM generate_series(1, 200) t),
      (SELECT jsonb_object_agg(rpad('d' || d, 64, 'x'), ${text(30)}) FROM generate_series(1, 15) d), 'STORYTELLER'
    FROM generate_series(1, 100)`)
  // Ten at a time for each character, to stay below the statement timeout.
  for (let i = 0; i < 10; i++) {
    await write(sql`
      INSERT INTO inventory (company_id, id, date_created, date_modified, character_id, name, name_key, description, kind, quantity)
      SELECT ${commonValues}, c.id, ${text(100)}, 'x', ${text(10_000)}, 'CONSUMABLE', 1000000
      FROM characters c, generate_series(1, 10) WHERE c.company_id = ${company_id}`)
    await write(sql`
      INSERT INTO notes (company_id, id, date_created, date_modified, author_id, campaign_id, character_id, title, name_key, body, visibility)
      SELECT ${commonValues}, ${teller.id}, ${campaign_id}, c.id, ${text(100)}, 'x', ${text(20_000)}, 'STORYTELLER'
      FROM characters c, generate_series(1, 10) WHERE c.company_id = ${company_id}`)
  }

  type Sheet = Body & Record<'notes' | 'inventory', Body[]> & { biography: string }
  const size = ({ text }: Answer) => Buffer.byteLength(text)
  const lengths = ({ notes, inventory, biography }: Sheet) => [
    ...[notes.length, inventory.length, biography.length],
    ...[String(notes[0]?.body).length, String(inventory[0]?.description).length],
  ]
  const list = await teller.get(`${C}/characters?limit=100&include=inventory,notes`)
  t.diagnostic(`${(size(list) / 1e6).toFixed(2)} MB for a hundred characters`)
  assert.ok(size(list) <= MAX_RESPONSE_BYTES)
  assert.equal(list.body.items.length, 100)
  for (const sheet of list.body.items as Sheet[]) {
    const [note, item] = [sheet.notes[0], sheet.inventory[0]]
    assert.deepEqual(lengths(sheet), [10, 10, 1000, 200, 200])
    assert.equal(Object.keys(sheet.details as unknown as object).length, 15, 'the most that a list shows')
    assert.deepEqual([sheet.truncated, note?.truncated, item?.truncated], [true, true, true])
    assert.deepEqual([sheet.notes_total, sheet.inventory_total], [100, 100])
  }
  const one = await teller.get(`${C}/characters/${list.body.items[0]?.id}?include=inventory,notes`)
  t.diagnostic(`${(size(one) / 1e6).toFixed(2)} MB for one character`)
  assert.ok(size(one) <= MAX_RESPONSE_BYTES)
  assert.deepEqual(lengths(one.body as Sheet), [100, 100, 10_000, 1000, 1000])
})
