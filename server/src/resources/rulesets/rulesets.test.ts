import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { newGameTable, twoApps } from '../../../test/game-table.ts'
import { assertProblem, call } from '../../../test/harness.ts'
import { assertConflict } from '../../../test/problems.ts'

const times = <T>(count: number, make: (i: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, i) => make(i)))
const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status).sort()

/** A small game. The order of its traits is not alphabetical, and one name has letters that JSON could escape. */
const game = (changes: object = {}) => ({
  format: 1,
  name: 'Küste',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { label: 'Stats', min: -1, max: 3 } },
  traits: { nerve: { group: 'stats' }, body: { group: 'stats' } },
  derived: { grit: { formula: 'nerve + body' } },
  examples: [{ name: 'A sailor', sheet: { traits: { nerve: 2, body: 1 } }, expect: { derived: { grit: 3 } } }],
  ...changes,
})

async function newLibrary() {
  const table = await newGameTable()
  const { base, key, teller, player } = table
  const as = (user: { id: string } | undefined) => (user ? { 'on-behalf-of': user.id } : {})
  const send = (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    user: { id: string } | undefined = teller,
    i = 0,
  ) => call(method, `${base}${path}`, { key, headers: as(user), on: twoApps[i % 2] as never, ...(body !== undefined && { body }) })
  const createFrom = async (body: object) => {
    const created = await send('POST', '/rulesets', body)
    assert.equal(created.status, 201, created.text)
    return created.body as unknown as { id: string; draft_version_id: string }
  }
  return { ...table, send, createFrom, player }
}

test('a pack is copied, and its document is exported with the same bytes and its license', async () => {
  const { send } = await newLibrary()
  const packs = (await send('GET', '/packs')).body.items as unknown as {
    id: string
    license: string
    sha256: string
    attribution: string
  }[]
  assert.deepEqual(packs.map(({ id }) => id).sort(), ['action-dice', 'd10-pool', 'fate-core', 'srd-5.2'])
  for (const { id, license, sha256, attribution } of packs) {
    assert.ok(license === 'CC0-1.0' || attribution.length > 100, id)
    const created = await send('POST', '/rulesets', { pack: id })
    assert.equal(created.status, 201, created.text)
    const { id: ruleset_id, published_version_id, draft_version_id, versions } = created.body as never as Record<string, string>
    assert.deepEqual([draft_version_id, versions], [null, 1])
    const exported = await send('GET', `/rulesets/${ruleset_id}/versions/${published_version_id}/document`)
    const file: object = JSON.parse(readFileSync(new URL(`../../../../packs/${id}.json`, import.meta.url), 'utf8'))
    assert.equal(exported.text, JSON.stringify(file))
    assert.equal(exported.headers.etag, `"${sha256}"`)
    assert.equal(hash('sha256', exported.text, 'hex'), sha256)
    assert.equal(exported.headers.link, `<https://spdx.org/licenses/${license}.html>; rel="license"`)
    assert.match(String(exported.headers['content-disposition']), /^attachment; filename="[a-z0-9-]+\.json"$/)
    const version = (await send('GET', `/rulesets/${ruleset_id}/versions/${published_version_id}`)).body as never as Record<string, unknown>
    assert.deepEqual([version.number, version.status, version.valid, version.license], [1, 'PUBLISHED', true, license])
    const imported = await send('POST', '/rulesets', { document: JSON.parse(exported.text), name: `Copy of ${id}` })
    assert.equal((imported.body as never as { draft_version_id: string }).draft_version_id.length, 36)
  }
})

test('a draft may have faults, can be replaced, and never changes once it is published', async () => {
  const { send, createFrom, player } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game({ derived: { grit: { formula: 'nreve + body' } } }) })
  const V = `/rulesets/${id}/versions/${draft_version_id}`
  const draft = (await send('GET', V)).body as never as Record<string, unknown>
  assert.deepEqual([draft.status, draft.number, draft.valid, draft.game, draft.traits], ['DRAFT', null, false, 'Küste', 2])
  const refused = await send('POST', `${V}/publish`)
  assertConflict(refused, 'ruleset_faulty')
  assert.deepEqual(refused.body.invalid_parameters, [
    { field: 'derived.grit.formula', message: 'at position 1: there is no nreve here: did you mean nerve?' },
  ])
  assertConflict(await send('POST', `/rulesets/${id}/versions`, { document: game() }), 'draft_exists')
  assertConflict(await send('GET', `${V}/schema`), 'ruleset_faulty')

  const wrong = game({ examples: [{ name: 'A sailor', sheet: {}, expect: { derived: { grit: 1 } } }] })
  assert.equal((await send('PUT', V, { document: wrong })).body.version, 2)
  const example = await send('POST', `${V}/publish`)
  assert.deepEqual(example.body.invalid_parameters, [{ field: 'examples.0.expect.derived.grit', message: 'is -2, not 1' }])

  assert.equal((await send('PUT', V, { document: game() })).status, 200)
  assertProblem(await send('PUT', V, { document: game() }, player), 403)
  const published = await send('POST', `${V}/publish`)
  assert.deepEqual([published.status, (published.body as never as { number: number }).number], [200, 1])
  for (const [method, path, body] of [
    ['PUT', V, { document: game() }],
    ['DELETE', V, undefined],
    ['POST', `${V}/publish`, undefined],
  ] as const)
    assertConflict(await send(method, path, body), 'version_published')
  assert.equal((await send('GET', `${V}/document`)).text, JSON.stringify(game()))
  const schema = (await send('GET', `${V}/schema`)).body as never as { properties: { traits: { properties: object } } }
  assert.deepEqual(schema.properties.traits.properties, {
    nerve: { type: 'integer', title: 'Nerve', minimum: -1, maximum: 3, default: -1 },
    body: { type: 'integer', title: 'Body', minimum: -1, maximum: 3, default: -1 },
  })
})

test('versions are numbered in the order of publishing, and a retired one gives way to the newest that is left', async () => {
  const { send, createFrom } = await newLibrary()
  const { id, draft_version_id: first } = await createFrom({ document: game() })
  const publish = (version: string) => send('POST', `/rulesets/${id}/versions/${version}/publish`)
  await publish(first)
  const second = (await send('POST', `/rulesets/${id}/versions`, { document: game({ name: 'Two' }) })).body.id
  assertConflict(await send('POST', `/rulesets/${id}/versions/${second}/retire`), 'not_published')
  assert.equal(((await publish(second)).body as never as { number: number }).number, 2)
  const ruleset = async () => (await send('GET', `/rulesets/${id}`)).body as never as Record<string, unknown>
  assert.equal((await ruleset()).published_version_id, second)
  assert.equal((await send('POST', `/rulesets/${id}/versions/${second}/retire`)).body.status, 'RETIRED')
  assert.deepEqual([(await ruleset()).published_version_id, (await ruleset()).versions], [first, 2])
  await send('POST', `/rulesets/${id}/versions/${first}/retire`)
  assert.equal((await ruleset()).published_version_id, null)
  const third = (await send('POST', `/rulesets/${id}/versions`, { document: game() })).body.id
  assert.equal((await ruleset()).draft_version_id, third)
  assert.equal((await send('DELETE', `/rulesets/${id}/versions/${third}`)).status, 204)
  assert.equal((await ruleset()).draft_version_id, null)
  const listed = (await send('GET', `/rulesets/${id}/versions?status=RETIRED`)).body.items as unknown as { number: number }[]
  assert.deepEqual(
    listed.map(({ number }) => number),
    [1, 2],
  )
})

test('the upgrade of a version must fit the version before it', async () => {
  const { send, createFrom } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game() })
  await send('POST', `/rulesets/${id}/versions/${draft_version_id}/publish`)
  const document = game({ upgrade: { convert: { nerve: 'nreve * 2' } } })
  const draft = (await send('POST', `/rulesets/${id}/versions`, { document })).body.id
  const refused = await send('POST', `/rulesets/${id}/versions/${draft}/publish`)
  assertConflict(refused, 'ruleset_faulty')
  const faults = [{ field: 'upgrade.convert.nerve', message: 'at position 1: there is no nreve here: did you mean nerve?' }]
  assert.deepEqual(refused.body.invalid_parameters, faults)
  const validated = await send('POST', '/rulesets/validate', { document, previous_version_id: draft_version_id })
  assert.deepEqual((validated.body as never as { faults: object }).faults, faults)
  assert.equal(
    (await send('PUT', `/rulesets/${id}/versions/${draft}`, { document: game({ upgrade: { convert: { nerve: 'body * 2' } } }) })).status,
    200,
  )
  assert.equal((await send('POST', `/rulesets/${id}/versions/${draft}/publish`)).status, 200)
})

test('of many requests at once, one starts a draft, one publishes it, and a name is taken once', async () => {
  const { send, createFrom, teller } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game() })
  const publishes = await times(20, (i) => send('POST', `/rulesets/${id}/versions/${draft_version_id}/publish`, undefined, teller, i))
  assert.deepEqual(statusesOf(publishes), [200, ...Array(19).fill(409)])
  const drafts = await times(20, (i) => send('POST', `/rulesets/${id}/versions`, { document: game() }, teller, i))
  assert.deepEqual(statusesOf(drafts), [201, ...Array(19).fill(409)])
  const rulesets = await times(20, (i) => send('POST', '/rulesets', { pack: 'fate-core' }, teller, i))
  assert.deepEqual(statusesOf(rulesets), [201, ...Array(19).fill(409)])
})

test('validate says what is wrong, tries the examples, computes samples and compares with an earlier version', async () => {
  const { send, createFrom } = await newLibrary()
  const { draft_version_id } = await createFrom({ document: game() })
  const changed = game({ traits: { nerve: { group: 'stats', max: 2 }, luck: { group: 'stats' } }, derived: {}, examples: [] })
  const reply = await send('POST', '/rulesets/validate', {
    document: changed,
    previous_version_id: draft_version_id,
    samples: [{ traits: { nerve: 9 } }],
  })
  assert.equal(reply.status, 200, reply.text)
  const found = reply.body as never as {
    valid: boolean
    changes: object[]
    samples: { traits: object; faults: object[] }[]
    warnings: object[]
  }
  assert.equal(found.valid, true)
  assert.deepEqual(found.changes, [
    { field: 'traits.body', kind: 'REMOVED', breaking: true },
    { field: 'traits.luck', kind: 'ADDED', breaking: false },
    { field: 'traits.nerve.max', kind: 'NARROWED', breaking: true },
    { field: 'derived.grit', kind: 'REMOVED', breaking: true },
  ])
  assert.deepEqual(found.samples[0]?.traits, { nerve: 9, luck: -1 })
  assert.deepEqual(found.samples[0]?.faults, [{ field: 'traits.nerve', message: 'must be -1 to 2', level: 'ERROR' }])
  const bad = await send('POST', '/rulesets/validate', { document: { format: 2, traits: [], über: 1 } })
  assert.deepEqual([bad.status, (bad.body as never as { valid: boolean }).valid], [200, false])
  const fields = (bad.body as never as { faults: { field: string }[] }).faults.map(({ field }) => field).sort()
  assert.deepEqual(fields, ['format', 'groups', 'name', 'source', 'traits', 'über'])
  assertProblem(
    await send('POST', '/rulesets/validate', { document: game(), previous_version_id: '019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01' }),
    404,
  )
  for (const document of [[], null, 'text', 1]) assertProblem(await send('POST', '/rulesets/validate', { document }), 400)
})

test('a ruleset is created from exactly one source, and its name comes from the document', async () => {
  const { send, createFrom, player } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game() })
  assert.equal((await send('GET', `/rulesets/${id}`)).body.name, 'Küste')
  assertProblem(await send('POST', '/rulesets', {}), 400)
  assertProblem(await send('POST', '/rulesets', { pack: 'd10-pool', document: game() }), 400)
  assertProblem(await send('POST', '/rulesets', { pack: 'd11' }), 400)
  assertProblem(await send('POST', '/rulesets', { document: {} }), 400)
  assertConflict(await send('POST', '/rulesets', { document: game() }), 'duplicate')
  assertConflict(await send('POST', '/rulesets', { document: game({ name: 'KUSTE' }) }), 'duplicate')
  assert.equal((await send('POST', '/rulesets', { copy_of: draft_version_id, name: 'Second coast' })).status, 201)
  assertProblem(await send('POST', '/rulesets', { pack: 'd10-pool' }, player), 403)
  const elsewhere = await newLibrary()
  assertProblem(await elsewhere.send('POST', '/rulesets', { copy_of: draft_version_id }), 404)
  assertProblem(await elsewhere.send('GET', `/rulesets/${id}/versions/${draft_version_id}/document`), 404)
})

test('the glossary of a version finds words, labels and definitions', async () => {
  const { send, createFrom } = await newLibrary()
  const ruleset = await createFrom({ pack: 'd10-pool' })
  const V = `/rulesets/${ruleset.id}/versions/${(ruleset as never as { published_version_id: string }).published_version_id}`
  const terms = async (query: string) =>
    ((await send('GET', `${V}/terms?${query}`)).body.items as unknown as { term: string; kind: string; name: string | null }[]).map(
      ({ term, kind, name }) => [term, kind, name],
    )
  assert.deepEqual(await terms('q=DICE+pool'), [['pool', 'TERM', null]])
  assert.deepEqual(await terms('q=sold'), [['Soldier', 'OPTION', 'concept.soldier']])
  assert.deepEqual(await terms('kind=TRACKER'), [
    ['Health', 'TRACKER', 'health'],
    ['Nerve', 'TRACKER', 'nerve'],
  ])
  assert.equal(((await send('GET', `${V}/terms?limit=2&offset=1`)).body.items as unknown as object[]).length, 2)
})

test('the glossary of a version is searched like that of the company: terms, synonyms and definitions, without case and accents', async () => {
  const { send, createFrom, player } = await newLibrary()
  const document = game({
    terms: [
      { term: 'Ebb', definition: 'The tide goes out, slowly' },
      { term: 'Flut', definition: 'High water', synonyms: ['Flood', 'Größe'] },
      { term: 'Slow burn', definition: 'A fuse' },
    ],
  })
  const { id, draft_version_id } = await createFrom({ document })
  const found = async (q: string) => {
    const path = `/rulesets/${id}/versions/${draft_version_id}/terms?kind=TERM&q=${encodeURIComponent(q)}`
    const { status, body } = await send('GET', path, undefined, player)
    assert.equal(status, 200)
    return (body.items as unknown as { term: string }[]).map(({ term }) => term)
  }
  assert.deepEqual(await found('FLÚT'), ['Flut'])
  assert.deepEqual(await found('flood'), ['Flut'], 'a synonym')
  assert.deepEqual(await found('grosse'), ['Flut'], 'the second synonym')
  assert.deepEqual(await found('water'), ['Flut'], 'the definition')
  assert.deepEqual(await found('slow'), ['Slow burn', 'Ebb'], 'a term comes before a definition')
  assert.deepEqual([await found('\u0301'), await found('%'), await found('dragon')], [[], [], []])
})

test('an archived ruleset can be restored, and its versions are hidden until then', async () => {
  const { send, createFrom } = await newLibrary()
  const { id, draft_version_id } = await createFrom({ document: game() })
  assert.equal((await send('DELETE', `/rulesets/${id}`)).status, 204)
  assertProblem(await send('GET', `/rulesets/${id}/versions/${draft_version_id}`), 404)
  assert.deepEqual((await send('GET', '/rulesets')).body.items, [])
  const archived = (await send('GET', '/rulesets?archived=true')).body.items as unknown as { id: string }[]
  assert.deepEqual(
    archived.map((one) => one.id),
    [id],
  )
  assert.equal((await send('POST', `/rulesets/${id}/restore`)).status, 200)
  assert.equal((await send('GET', `/rulesets/${id}/versions/${draft_version_id}`)).status, 200)
})
