import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Follower } from '../../../test/follower.ts'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { type Answer, assertProblem, call, write } from '../../../test/harness.ts'
import { sql } from '../../db/sql.ts'
import { MAX_TERMS } from './schema.ts'

type Table = Awaited<ReturnType<typeof newGameTable>>
type Body = Record<string, unknown>

/** Sends requests to the terms of a company, with its OWNER key, or as others. */
function termsOf({ base, key: owner }: Table, as: { key?: string; user?: string } = {}) {
  const all = `${base}/terms`
  const options = { key: as.key ?? owner, headers: as.user ? { 'on-behalf-of': as.user } : {} }
  return {
    list: (query = '') => call('GET', `${all}?${query}`, options),
    create: (body: Body, on = twoApps[0]) => call('POST', all, { ...options, body, on: on as never }),
    get: (id: string) => call('GET', `${all}/${id}`, options),
    update: (id: string, body: Body) => call('PATCH', `${all}/${id}`, { ...options, body }),
    archive: (id: string) => call('DELETE', `${all}/${id}`, options),
    restore: (id: string) => call('POST', `${all}/${id}/restore`, options),
  }
}

const AC = { term: 'Armor class', definition: 'The number that an attack must reach to hit.' }

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const statusesOf = (replies: Answer[]) => replies.map(({ status }) => status).sort()
const termsIn = ({ body }: Answer) => body.items.map(({ term }) => term)

function assertDuplicate(reply: Answer, id: string): void {
  assertProblem(reply, 409, 'The company already has this term. Change that one, or choose another term.')
  assert.deepEqual([reply.body.code, reply.body.id], ['duplicate', id])
}

function assertInvalid(reply: Answer, field: string): void {
  assertProblem(reply, 400)
  assert.deepEqual(
    reply.body.invalid_parameters.map((fault) => fault.field),
    [field],
    reply.text,
  )
}

test('a term is created, changed, archived and restored, and every reader of the feed is told', async () => {
  const table = await newGameTable()
  const [terms, follower] = [termsOf(table), await Follower.start(table.player)]
  const created = await terms.create({ ...AC, term: '  Armor class ', synonyms: [' AC', 'Defense '] })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body
  const { term, synonyms, link, version, date_archived } = created.body
  assert.deepEqual([term, synonyms, link, version, date_archived], ['Armor class', ['AC', 'Defense'], null, 1, null])
  assert.deepEqual((await terms.get(id)).body, created.body)
  const changed = await terms.update(id, { synonyms: ['AC'], link: 'https://rules.example.com/ac' })
  assert.deepEqual([changed.body.synonyms, changed.body.link, changed.body.version], [['AC'], 'https://rules.example.com/ac', 2])
  assert.equal((await terms.update(id, { link: null })).body.link, null)
  const told = await follower.read()
  assert.deepEqual(
    told.map(({ type, data }) => [type, data.change, data.path]),
    ['created', 'updated', 'updated'].map((verb) => [`term.${verb}`, 'UPSERT', `${table.base}/terms/${id}`]),
  )
  assert.equal((await terms.archive(id)).status, 204)
  assertProblem(await terms.get(id), 404)
  assert.deepEqual([termsIn(await terms.list()), termsIn(await terms.list('archived=true'))], [[], ['Armor class']])
  assert.deepEqual(
    (await follower.read()).map(({ type, data }) => [type, data.change]),
    [['term.deleted', 'REMOVE']],
  )
  assert.equal((await terms.restore(id)).body.date_archived, null)
  assert.deepEqual(
    (await follower.read()).map(({ type, data }) => [type, data.resource?.id]),
    [['term.restored', id]],
  )
})

test('a live term is unique in its company, ignoring case and accents', async () => {
  const table = await newGameTable()
  const terms = termsOf(table)
  const { id } = (await terms.create({ ...AC, term: 'Café Straße' })).body
  for (const term of ['Café Straße', 'cafe STRASSE', ' CAFÉ strasse ']) assertDuplicate(await terms.create({ ...AC, term }), id)
  const other = (await terms.create(AC)).body.id
  assertDuplicate(await terms.update(other, { term: 'CAFE STRASSE' }), id)
  assert.equal((await terms.update(id, { term: 'CAFE STRASSE' })).status, 200, 'its own term in other letters')
  await terms.archive(id)
  const again = (await terms.create({ ...AC, term: 'café strasse' })).body.id
  assertDuplicate(await terms.restore(id), again)
  assert.equal((await termsOf(await newGameTable()).create({ ...AC, term: 'Café Straße' })).status, 201, 'another company')
})

test('of many requests at once for one term, on two processes, one creates it', async () => {
  const terms = termsOf(await newGameTable())
  const replies = await times(20, (i) => terms.create({ ...AC, term: i % 3 ? 'Initiative' : 'INITIATIVE' }, twoApps[i % 2]))
  assert.deepEqual(statusesOf(replies), [201, ...Array(19).fill(409)])
  assert.equal((await terms.list()).body.total, 1)
})

test('q finds terms by the term, a synonym or the definition, and a short one by their beginning', async () => {
  const terms = termsOf(await newGameTable())
  await terms.create({ ...AC, synonyms: ['AC', 'Défense'] })
  await terms.create({ term: 'Hit points', definition: 'How much damage\na creature survives: 100%', synonyms: ['HP', 'Leben'] })
  await terms.create({ term: '守備', definition: '防御の値' })
  await terms.create({ term: 'Échappée', definition: 'Flight from a fight' })
  const found = async (q: string) => termsIn(await terms.list(`q=${encodeURIComponent(q)}&sort=name`))
  assert.deepEqual(await found('CLASS'), ['Armor class'])
  assert.deepEqual(await found('echap'), ['Échappée'])
  assert.deepEqual(await found('defense'), ['Armor class'], 'a synonym')
  assert.deepEqual(await found('leben'), ['Hit points'], 'the second synonym')
  assert.deepEqual(await found('creature surv'), ['Hit points'], 'the definition')
  assert.deepEqual(await found('hit'), ['Armor class', 'Hit points'], 'a definition and a term')
  assert.deepEqual(await found('ac'), ['Armor class'])
  assert.deepEqual(await found('hp'), ['Hit points'])
  assert.deepEqual(await found('a'), ['Armor class', 'Hit points'], 'a term, and a line of a definition')
  assert.deepEqual(await found('le'), ['Hit points'], 'not within a word')
  assert.deepEqual(await found('守'), ['守備'])
  assert.deepEqual(await found('防御の'), ['守備'])
  assert.deepEqual([await found('%'), await found('_'), await found('100%'), await found('\u0301')], [[], [], ['Hit points'], []])
  assert.deepEqual(await found('dragon'), [])
  const [first] = (await terms.list('q=hp')).body.items
  await terms.update(first?.id as string, { synonyms: [] })
  assert.deepEqual([await found('hp'), await found('leben'), await found('creature')], [[], [], ['Hit points']])
})

test('storytellers and admins write with any key, an ADMIN key writes alone, and everybody reads', async () => {
  const table = await newGameTable()
  const { player, teller, admin } = table
  const keys = { USER: (await table.developer('USER')).key, ADMIN: (await table.developer('ADMIN')).key }
  const writers = [{ key: keys.ADMIN }, { key: keys.USER, user: teller.id }, { key: keys.USER, user: admin.id }]
  for (const [i, writer] of writers.entries()) {
    const terms = termsOf(table, writer)
    const { status, body } = await terms.create({ ...AC, term: `Term ${i}` })
    assert.equal(status, 201)
    assert.equal((await terms.update(body.id, { definition: 'Another' })).status, 200)
    assert.equal((await terms.archive(body.id)).status, 204)
    assert.equal((await terms.list('archived=true')).body.total, i + 1)
    assert.equal((await terms.restore(body.id)).status, 200)
    await terms.archive(body.id)
  }
  const { id } = (await termsOf(table).create(AC)).body
  for (const [as, denial] of [
    [
      { key: keys.ADMIN, user: player.id },
      { reason: 'role', needs: { role: 'STORYTELLER' } },
    ],
    [
      { key: keys.USER, user: player.id },
      { reason: 'role', needs: { role: 'STORYTELLER' } },
    ],
    [{ key: keys.USER }, { reason: 'key_permission', needs: { permission: 'ADMIN' } }],
  ] as const) {
    const terms = termsOf(table, as)
    // An invalid body is not read.
    for (const reply of [await terms.create({}), await terms.update(id, {}), await terms.archive(id), await terms.restore(id)]) {
      assertProblem(reply, 403)
      assert.deepEqual({ reason: reply.body.reason, needs: reply.body.needs }, denial)
    }
    assert.equal((await terms.get(id)).body.term, 'Armor class')
    assert.deepEqual([termsIn(await terms.list()), (await terms.list('archived=true')).body.total], [['Armor class'], 0])
  }
})

test('the terms of another company do not exist', async () => {
  const [table, other] = [await newGameTable(), await newGameTable()]
  const { id } = (await termsOf(other).create(AC)).body
  const terms = termsOf(table)
  const replies = [await terms.get(id), await terms.update(id, { term: 'Mine' }), await terms.archive(id), await terms.restore(id)]
  for (const reply of replies) assertProblem(reply, 404)
  assert.equal((await terms.list()).body.total, 0)
  assertProblem(await termsOf(other, { key: table.key }).get(id), 403)
  assert.equal((await termsOf(other).get(id)).body.version, 1)
})

test('a term has limits, and any characters', async () => {
  const terms = termsOf(await newGameTable())
  for (const [field, value] of [
    ['term', ''],
    ['term', '   '],
    ['term', 'x'.repeat(101)],
    ['term', null],
    ['definition', ''],
    ['definition', ' \n'],
    ['definition', 'x'.repeat(2001)],
    ['synonyms', Array.from({ length: 21 }, (_, i) => `Word ${i}`)],
    ['synonyms', ['AC', 'ac']],
    ['synonyms', ['AC', ' AC ']],
    ['synonyms', null],
    ['link', 'javascript:alert(1)'],
    ['link', ''],
    ['link', `https://example.com/${'x'.repeat(1981)}`],
  ] as const)
    assertInvalid(await terms.create({ ...AC, [field]: value }), field)
  for (const word of ['', '  ', 'x'.repeat(101), null]) assertInvalid(await terms.create({ ...AC, synonyms: [word] }), 'synonyms.0')
  assertInvalid(await terms.create({ term: 'Alone' }), 'definition')
  const largest = {
    term: '🎲'.repeat(100),
    definition: '防'.repeat(2000),
    synonyms: Array.from({ length: 20 }, (_, i) => `${String(i).padStart(2, '0')}${'é'.repeat(98)}`),
    link: `https://example.com/${'x'.repeat(1980)}`,
  }
  const created = await terms.create(largest)
  assert.equal(created.status, 201, created.text)
  const { term, definition, synonyms, link } = (await terms.get(created.body.id)).body
  assert.deepEqual({ term, definition, synonyms, link }, largest)
  assertInvalid(await terms.update(created.body.id, { link: 'ftp://example.com/' }), 'link')
})

test('a company has at most 5,000 live terms, however many are created and restored at once', async () => {
  const table = await newGameTable()
  const terms = termsOf(table)
  const archived = (await terms.create(AC)).body.id
  await terms.archive(archived)
  const { id } = (await terms.create({ ...AC, term: 'Live' })).body
  await write(sql`
    INSERT INTO terms (company_id, id, term, name_key, definition, synonyms, text_key, date_created, date_modified)
    SELECT ${table.company_id}, gen_random_uuid(), 'Term ' || n, 'term ' || n, 'x', '{}', 'x', now(), now()
    FROM generate_series(1, ${MAX_TERMS - 3}::int) n`)
  const restored = terms.restore(archived)
  const replies = await times(9, (i) => terms.create({ ...AC, term: `New ${i}` }, twoApps[i % 2]))
  replies.push(await restored)
  const refused = replies.filter(({ status }) => status === 409)
  assert.deepEqual([refused.length, (await terms.list()).body.total], [8, MAX_TERMS])
  for (const { body } of refused) assert.equal(body.code, 'too_many_terms')
  assert.equal((await terms.restore(id)).status, 200, 'a live term is as it was')
  await terms.archive(id)
  assert.equal((await terms.create({ ...AC, term: 'Last' })).status, 201)
  assert.equal((await terms.restore(id)).body.code, 'too_many_terms')
})
