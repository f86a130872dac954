import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { newGameTable, type Person } from '../../../test/game-table.ts'
import { call, write } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'

const found = async (person: Person, query: string) => {
  const { items, total } = (await person.get(`/search?limit=100&${query}`)).body
  assert.equal(items.length, Math.min(100, total))
  return items.map(({ type, name }) => `${type} ${name}`)
}

/** A campaign with something of every type whose name begins with the same two letters, and some that players do not see. */
async function newCampaign() {
  const table = await newGameTable()
  const { teller, player, stranger, C, user } = table
  const book = await teller.make(`${C}/books`, { name: 'Zebra book', description: 'It has stripes' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Zebra chapter' })
  const hero = await player.make(`${C}/characters`, { name: 'Zebra hero' })
  const item = await player.make(`${C}/characters/${hero}/inventory`, { name: 'Zebra hide', description: 'A Überwurf with stripes' })
  const note = await player.make(`${C}/characters/${hero}/notes`, { title: 'Zèbra note', body: 'On stripes' })
  const npc = await teller.make(`${C}/characters`, { name: 'Zebra ghoul', type: 'NPC', visibility: 'STORYTELLER' })
  await teller.make(`${C}/characters/${npc}/inventory`, { name: 'Zebra cup', description: 'With stripes' })
  const elsewhere = await stranger.make('/campaigns', { name: 'Zebras elsewhere' })
  await user('PLAYER', 'Zed')
  await player.make('/notes', { title: 'Zero' })
  return { ...table, book, chapter, hero, item, note, elsewhere }
}

const OPEN = ['book Zebra book', 'chapter Zebra chapter', 'character Zebra hero', 'item Zebra hide', 'note Zèbra note']

test('one or two letters find names that begin with them, by name', async () => {
  const { teller, player, other, base, key, developer } = await newCampaign()
  const inOrder = ['book Zebra book', 'chapter Zebra chapter', 'character Zebra hero', 'item Zebra hide', 'note Zèbra note']
  for (const q of ['z', 'Ze', 'ZÉ'])
    assert.deepEqual(await found(player, `q=${encodeURIComponent(q)}`), [...inOrder, 'campaign Zebras elsewhere', 'user Zed', 'note Zero'])
  assert.deepEqual(await found(other, 'q=z&type=note,item'), ['item Zebra hide', 'note Zèbra note'])
  assert.deepEqual(await found(teller, 'q=ze&type=character,item'), [
    'item Zebra cup',
    'character Zebra ghoul',
    'character Zebra hero',
    'item Zebra hide',
  ])
  assert.deepEqual(await found(player, 'q=eb'), [], 'only the beginning of a name')
  assert.equal((await player.get('/search?q=z&limit=2&offset=1')).body.items.length, 2)
  const snippets = (await player.get('/search?q=z&type=book,chapter')).body.items.map(({ snippet }) => snippet)
  assert.deepEqual(snippets, ['It has stripes', null], 'the beginning of the text')
  const { key: weak } = await developer('USER')
  const total = async (apiKey: string) => (await call('GET', `${base}/search?q=ze`, { key: apiKey })).body.total
  assert.deepEqual([await total(weak), await total(key)], [7, 10])
})

test('items are found by name and description, where their character is seen, and the path leads to them', async () => {
  const { key, teller, player, admin, C, hero, item, campaign_id } = await newCampaign()
  assert.deepEqual(await found(player, 'q=stripes'), ['book Zebra book', 'item Zebra hide', 'note Zèbra note'])
  assert.deepEqual(await found(player, 'q=uberwurf'), ['item Zebra hide'])
  for (const person of [teller, admin]) assert.equal((await found(person, 'q=stripes&type=item')).length, 2)
  const [hit] = (await player.get('/search?q=hide&type=item')).body.items
  assert.deepEqual([hit?.id, hit?.campaign_id, hit?.snippet], [item, campaign_id, 'A Überwurf with stripes'])
  assert.equal((await call('GET', String(hit?.path), { key })).body.id, item)
  await player.patch(`${C}/characters/${hero}/inventory/${item}`, { name: 'Rug', description: 'Unadorned' })
  assert.deepEqual(await found(player, 'q=uberwurf'), [])
  assert.deepEqual(await found(player, 'q=unadorned'), ['item Rug'])
  await player.delete(`${C}/characters/${hero}`)
  assert.deepEqual(await found(player, 'q=unadorned'), [], 'items are archived with their character')
  await player.post(`${C}/characters/${hero}/restore`)
  await teller.delete(C)
  assert.deepEqual([await found(player, 'q=unadorned'), await found(player, 'q=ru')], [[], []], 'and with its campaign')
})

test('descriptions that were written before items were searched are found after the migration', async () => {
  const { player, C, company_id } = await newGameTable()
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  for (const description of ['Ein ÜBERWURF aus Åland, à la carte', '', null])
    await player.make(`${C}/characters/${hero}/inventory`, { name: 'Item', description })
  const keys = () => write<{ text_key: string }>(sql`SELECT text_key FROM inventory WHERE company_id = ${company_id} ORDER BY id`)
  const written = await keys()
  await write(sql`UPDATE inventory SET text_key = NULL WHERE company_id = ${company_id}`)
  assert.deepEqual(await found(player, 'q=uberwurf'), [])
  const migration = readFileSync(new URL('../../db/migrations/0021_lists.sql', import.meta.url), 'utf8')
  await write(sql.raw(/^UPDATE inventory[^;]+;/m.exec(migration)?.[0] ?? ''))
  assert.deepEqual([await keys(), written.length], [written, 3])
  assert.deepEqual(await found(player, 'q=aland'), ['item Item'])
})

test('campaign_id restricts a search to one campaign, and every hit names its campaign', async () => {
  const { player, other, campaign_id, elsewhere, base, key } = await newCampaign()
  for (const q of ['zebra', 'ze']) {
    assert.deepEqual((await found(player, `q=${q}&campaign_id=${campaign_id}`)).sort(), OPEN)
    assert.deepEqual(await found(player, `q=${q}&campaign_id=${elsewhere.toUpperCase()}`), ['campaign Zebras elsewhere'])
    assert.deepEqual(await found(player, `q=${q}&campaign_id=${crypto.randomUUID()}`), [])
    assert.deepEqual(await found(player, `q=${q}&campaign_id=${elsewhere}&type=user`), [])
    const { items } = (await call('GET', `${base}/search?limit=100&q=${q}`, { key })).body
    for (const { type, name, campaign_id: at } of items) {
      const expected = type === 'user' || name === 'Zero' ? null : name === 'Zebras elsewhere' ? elsewhere : campaign_id
      assert.equal(at, expected, `${type} ${name}`)
    }
  }
  assert.deepEqual(await found(other, `q=kingsport&campaign_id=${campaign_id}`), ['campaign Fall of Kingsport'])
})

test('at most a thousand names of each type are found by their beginning, and no hidden one takes the place of another', async () => {
  const { company_id, campaign_id, teller, player, C } = await newGameTable()
  await write(sql`
    INSERT INTO characters (company_id, id, campaign_id, type, name, name_key, status, traits, visibility, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), ${campaign_id}, 'NPC', 'Qa ' || n, 'qa ' || n, 'ACTIVE', '{}', 'STORYTELLER', now(), now()
    FROM generate_series(1, 1500) n`)
  await teller.make(`${C}/characters`, { name: 'Qz, the last of them', type: 'NPC' })
  assert.deepEqual(await found(player, 'q=q'), ['character Qz, the last of them'])
  assert.equal((await teller.get('/search?q=q')).body.total, 1000)
})
