import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, db, pooler } from '../../../test/harness.ts'
import { newTable, type Person } from '../../../test/table.ts'
import { fold } from '../../core/text.ts'
import { sql } from '../../db/sql.ts'
import { snippetOf } from './snippet.ts'

const found = async (who: Person, query: string) => {
  const { items, total } = (await who.get(`/search?limit=100&${query}`)).body
  assert.equal(items.length, Math.min(100, total))
  return items.map(({ type, name }) => `${type} ${name}`)
}

test('names, titles and texts are found, best first, and lead to what they are', async () => {
  const { key, teller, player, C, user } = await newTable()
  await user('PLAYER', 'Belladonna')
  const book = await teller.make(`${C}/books`, { name: 'The Drowned Bell', description: 'It rings under water' })
  await teller.make(`${C}/books/${book}/chapters`, { name: 'Tide', description: 'Somebody rang the BÉLL again' })
  const npc = await teller.make(`${C}/characters`, { name: 'Bell', type: 'NPC', biography: 'A sexton' })
  await player.make(`${C}/characters/${npc}/notes`, { title: 'On the sexton', body: 'He sleeps in the doorbell factory' })
  await player.make('/notes', { title: 'Bells and whistles' })
  assert.deepEqual(await found(player, 'q=bell'), [
    'character Bell',
    'user Belladonna',
    'book The Drowned Bell',
    'note Bells and whistles',
    'chapter Tide',
    'note On the sexton',
  ])
  assert.deepEqual(await found(player, 'q=B%C3%88LL&type=book,chapter'), ['book The Drowned Bell', 'chapter Tide'])
  assert.deepEqual(await found(player, 'q=factor'), ['note On the sexton'])
  const { items } = (await player.get('/search?q=bell&limit=100')).body
  for (const { path, id, type } of items) {
    const reply = await call('GET', String(path), { key })
    assert.deepEqual([reply.status, reply.body.id], [200, id], `${type} ${path}`)
  }
  assert.match(String(items.find(({ name }) => name === 'Tide')?.snippet), /rang the BÉLL again/)
  assert.deepEqual((await player.get('/search?q=bell&limit=2&offset=1')).body.items.length, 2)
})

test('small typing errors in names are forgiven where nobody is called so', async () => {
  const { player, C } = await newTable()
  for (const name of ['Wilhelmina Harker', 'Quincey Morris', 'Zoë']) await player.make(`${C}/characters`, { name })
  for (const typo of ['Qiuncey', 'Hakrer', 'Harkr', 'Harkerr', 'wilhemina', 'Quincy', 'Moriss', 'harker wilhelmina'])
    assert.equal((await found(player, `q=${encodeURIComponent(typo)}&type=character`)).length, 1, typo)
  assert.deepEqual(await found(player, 'q=unrelated'), [])
})

test('what is searched must be something', async () => {
  const { base, key, player } = await newTable()
  for (const bad of [
    '',
    'q=',
    'q=ab',
    'q=%20%20a%20',
    `q=${'x'.repeat(101)}`,
    'q=abc&type=',
    'q=abc&type=dragon',
    'q=abc&type=user,user',
    'q=abc&sort=name',
    'q=%00abc',
  ])
    assertProblem(await player.get(`/search?${bad}`), 400)
  assertProblem(await call('GET', `${base}/search`, { key }), 400)
  for (const odd of ['%25%25%25', '___', '\\\\\\', '%CC%81%CC%81%CC%81', "'''", '😀😀😀', '%C2%A0%C2%A0%C2%A0a']) {
    const { status, body } = await player.get(`/search?q=${odd}`)
    assert.ok(status === 200 ? body.total === 0 : status === 400, odd)
  }
})

test('what is archived, or under something archived, is not found', async () => {
  const { base, key, teller, player, C, user } = await newTable()
  const book = `${C}/books/${await teller.make(`${C}/books`, { name: 'Quillon book' })}`
  const chapter = `${book}/chapters/${await teller.make(`${book}/chapters`, { name: 'Quillon chapter' })}`
  const character = `${C}/characters/${await player.make(`${C}/characters`, { name: 'Quillon character' })}`
  for (const peg of [C, book, chapter, character]) await player.make(`${peg}/notes`, { title: `Quillon ${peg.split('/').at(-2)}` })
  const ghost = await user('PLAYER', 'Quillon user')
  const count = async () => (await found(player, 'q=quillon')).length
  assert.equal(await count(), 8)
  const steps = [
    [chapter, 2],
    [book, 2],
    [character, 2],
  ] as const
  let left = 8
  for (const [path, fewer] of steps) {
    await teller.delete(path)
    left -= fewer
    assert.equal(await count(), left, path)
  }
  await call('DELETE', `${base}/users/${ghost}`, { key })
  await teller.delete(C)
  assert.equal(await count(), 0)
})

test('without an actor an ADMIN key finds everything, a USER key what is open, and the path says who is to act', async () => {
  const { base, key, developer, teller, player, C } = await newTable()
  await teller.make(`${C}/characters`, { name: 'Hidden thing', type: 'NPC', visibility: 'STORYTELLER' })
  await player.make('/notes', { title: 'Thing of my own' })
  const { key: weak } = await developer('USER')
  const find = async (apiKey: string, headers = {}) => (await call('GET', `${base}/search?q=thing`, { key: apiKey, headers })).body
  assert.equal((await find(key)).total, 2)
  assert.equal((await find(weak)).total, 0)
  assert.equal((await find(weak, { 'on-behalf-of': teller.id })).total, 1)
  assert.equal((await find(key, { 'on-behalf-of': player.id })).total, 1)
  const paths = (await find(key)).items.map(({ path }) => String(path).slice(base.length, base.length + 17))
  assert.ok(paths.includes('/users/{user_id}/'), 'a campaign is looked into by whoever is to act')
})

test('of each kind a thousand are found, counted and listed', async () => {
  const { company_id, player } = await newTable()
  await db.query(sql`
    INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), 'Legion ' || n, 'legion ' || n, 'PLAYER', now(), now() FROM generate_series(1, 1200) n`)
  const { total, items } = (await player.get('/search?q=legion&limit=100&offset=950')).body
  assert.deepEqual([total, items.length], [1000, 50])
})

test('the very name is found, however many have it in theirs', async () => {
  const { company_id, teller, player } = await newTable()
  await db.query(sql`
    INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), 'A lantern of the road ' || n, 'a lantern of the road ' || n, 'PLAYER', now(), now()
    FROM generate_series(1, 1500) n`)
  await teller.make('/campaigns', { name: 'Lantern' })
  await db.query(
    sql`UPDATE users SET name = 'Lantern', name_key = 'lantern' WHERE company_id = ${company_id} AND name = 'A lantern of the road 1499'`,
  )
  const { items, total } = (await player.get('/search?q=lantern')).body
  assert.deepEqual(
    [
      total,
      items
        .slice(0, 2)
        .map(({ name, type }) => `${type} ${name}`)
        .sort(),
    ],
    [1001, ['campaign Lantern', 'user Lantern']],
  )
})

test('a snippet is the text around the hit, in any script, cut between characters', () => {
  const needle = 'the needleword is here'
  for (const filler of ['Wait… what… no… ', '한국어 이야기 ', 'Zoë ', 'e\u0301t ', '😀 ', '👨‍👩‍👦 ', 'ﷺ ', 'שָׁלוֹם '.normalize('NFD')]) {
    const text = filler.repeat(80) + needle + filler.repeat(80)
    const snippet = snippetOf(text, fold(text).indexOf('needleword')) as string
    assert.match(snippet, /^… .*needleword is here.* …$/s, filler)
    assert.ok(snippet.length <= 210 && snippet.isWellFormed(), filler)
    assert.doesNotMatch(snippet, /^… [\p{M}\u200d]/u, filler)
  }
  assert.equal(snippetOf('Short', 0), 'Short')
  assert.equal(snippetOf(null, 0), null)
  assert.equal(snippetOf('x'.repeat(300), 0), `${'x'.repeat(199)} …`)
})

test('a hundred long texts in another script leave others their turn', async () => {
  const { company_id, player } = await newTable()
  const body = `${'한'.repeat(19_900)} needleword`
  await db.query(sql`
    INSERT INTO notes (company_id, id, author_id, title, name_key, body, text_key, visibility, date_created, date_modified)
    SELECT ${company_id}, gen_random_uuid(), ${player.id}, 'x', 'x', ${body}, ${fold(body)}, 'AUTHOR', now(), now() FROM generate_series(1, 100)`)
  let longest = 0
  let last = performance.now()
  const beat = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const { items } = (await player.get('/search?q=needleword&limit=100')).body
  clearInterval(beat)
  assert.equal(items.filter(({ snippet }) => String(snippet).includes('needleword')).length, 100)
  assert.ok(longest < 1000, `others waited ${longest} ms`)
})

test('a notebook is found by its author and by admins, and its path leads there', async () => {
  const { base, key, developer, player, teller, admin } = await newTable()
  const id = await player.make('/notes', { title: 'Dear diary' })
  assert.equal((await teller.get('/search?q=diary')).body.total, 0)
  for (const reply of [
    await player.get('/search?q=diary'),
    await admin.get('/search?q=diary'),
    await call('GET', `${base}/search?q=diary`, { key }),
  ]) {
    assert.equal(reply.body.items[0]?.path, `${base}/users/${player.id}/notes/${id}`)
    assert.equal((await call('GET', String(reply.body.items[0]?.path), { key })).body.id, id)
  }
  await call('DELETE', `${base}/users/${player.id}`, { key })
  assert.equal((await admin.get('/search?q=diary')).body.total, 0, 'it is gone with its author')
  await call('POST', `${base}/users/${player.id}/restore`, { key })
  const { key: weak } = await developer('USER')
  const named = await call('GET', `${base}/search?q=diary`, { key: weak, headers: { 'on-behalf-of': admin.id } })
  assert.deepEqual(named.body, (await admin.get('/search?q=diary')).body, 'an ADMIN finds the same by whichever key they are named')
})

test('a company of 100,000 rows is searched in milliseconds', {
  skip: pooler && 'the figure is that of prepared statements',
}, async (t) => {
  const { company_id, teller, player, campaign_id } = await newTable()
  const SYLLABLES = 'ka ri mo ven dal tor shi nu bel gra fon dri lu pa sen tha mir gol wyn cor'.split(' ')
  const word = (n: number) => [n, n / 20, n / 400].map((part) => SYLLABLES[Math.floor(part) % 20]).join('')
  const words = Array.from({ length: 4000 }, (_, n) => word(n * 2 + (n % 2)))
  const pick = (n: number, prime: number) => words[(n * prime) % words.length] as string
  const names = (count: number) => Array.from({ length: count }, (_, n) => `${pick(n, 7919)} ${pick(n, 104729)}`)
  const texts = (count: number) =>
    Array.from({ length: count }, (_, n) => `they met ${pick(n, 1299709)} on the road to ${pick(n, 15485863)} and heard of it`)
  for (let i = 0; i < 10; i++) {
    await db.query(sql`
      INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
      SELECT ${company_id}, gen_random_uuid(), name, name, 'PLAYER', now(), now() FROM unnest(${names(1000)}::text[]) name`)
    await db.query(sql`
      INSERT INTO characters (company_id, id, campaign_id, type, name, name_key, status, biography, text_key, traits, visibility, date_created, date_modified)
      SELECT ${company_id}, gen_random_uuid(), ${campaign_id}, 'NPC', name, name, 'ACTIVE', text, text, '{}',
        CASE n % 3 WHEN 0 THEN 'STORYTELLER' ELSE 'OPEN' END, now(), now()
      FROM unnest(${names(5000)}::text[], ${texts(5000)}::text[]) WITH ORDINALITY AS x (name, text, n)`)
    await db.query(sql`
      INSERT INTO notes (company_id, id, author_id, campaign_id, title, name_key, body, text_key, visibility, date_created, date_modified)
      SELECT ${company_id}, gen_random_uuid(), ${teller.id}, ${campaign_id}, name, name, text, text,
        CASE n % 3 WHEN 0 THEN 'STORYTELLER' ELSE 'EVERYONE' END, now(), now()
      FROM unnest(${names(4000)}::text[], ${texts(4000)}::text[]) WITH ORDINALITY AS x (name, text, n)`)
  }
  await db.query(sql`VACUUM ANALYZE`)
  const times: number[] = []
  for (let i = 0; i < 110; i++) {
    const q = pick(i, 37)
    const begun = performance.now()
    const { body } = await player.get(`/search?q=${q}`)
    times.push(performance.now() - begun)
    assert.ok(body.total > 0, q)
  }
  const median = times.slice(10).sort((a, b) => a - b)[50] as number
  t.diagnostic(`median of 100 words over 100,000 rows: ${median.toFixed(1)} ms`)
  // Other tests have the machine too; alone it is well below 20.
  assert.ok(median < 100, `${median} ms`)
})
