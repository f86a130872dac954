import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { fold } from '../src/core/text.ts'
import { sql } from '../src/db/sql.ts'
import { type Answer, assertProblem, call, newCompany, write } from './harness.ts'
import { NAUGHTY } from './naughty.ts'
import { plans } from './plans.ts'
import { scene } from './scene.ts'

// Sends texts that have broken other programs to every field, parameter and header that accepts text.

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  items?: Schema
  propertyNames?: Schema
  additionalProperties?: Schema | boolean
  'x-trim'?: true
}
/** The path is the position in a body: `['pool', 'traits', '0']`, `['traits', '*']` for the names in traits, or `['metadata', 'any_name']` for a value. */
interface Field extends Schema {
  path: string[]
}
type Tree = Record<string, unknown>

const takesText = ({ type, enum: values, format }: Schema) => [type].flat().includes('string') && !values && format !== 'uuid'

function fieldsOf(schema: Schema, path: string[] = []): Field[] {
  return [
    ...(takesText(schema) ? [{ ...schema, path }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => fieldsOf(inner, [...path, name])),
    ...(schema.items ? fieldsOf(schema.items, [...path, '0']) : []),
    ...(schema.propertyNames ? fieldsOf(schema.propertyNames, [...path, '*']) : []),
    ...(typeof schema.additionalProperties === 'object' ? fieldsOf(schema.additionalProperties, [...path, 'any_name']) : []),
  ]
}

/** Returns true if the field accepts any text, and false for a format such as an address or dice notation, or the code of an invite. */
const isFreeText = ({ path, format, pattern }: Field) =>
  !format && !pattern && !['notation', 'code', 'url', 'link'].includes(String(path[0]))

const storedAs = (field: Field, text: string) => (field['x-trim'] ? text.trim() : text)

/** Returns true if the API conventions require the field to accept the text. */
function isAcceptable(field: Field, text: string): boolean {
  const { minLength = 0, maxLength = 0 } = field
  const length = [...storedAs(field, text)].length
  return !text.includes('\0') && text.isWellFormed() && length >= minLength && length <= maxLength
}

/** Changes that a field needs elsewhere in the body: a roll has notation or a pool, a pool has dice or traits, and a tracker has a value. */
function companionChanges(body: Tree, name: string): Tree {
  if (name === 'any_name') return { any_name: { value: 3 } }
  if (name === 'notation') return { pool: undefined }
  if (name !== 'pool') return {}
  const { dice: _, ...pool } = (body.pool ?? {}) as Tree
  return { pool: { modifier: 1, traits: ['any'], special: { count: 0 }, ...pool } }
}

/** The value of a name in traits or metadata. */
const valueIn = (name: string | undefined) => (name === 'metadata' ? '3' : 3)

function put(body: Tree, [name = '', next, ...rest]: string[], text: string): Tree {
  const changed = { ...body, ...companionChanges(body, name) }
  if (next === undefined) return { ...changed, [name]: text }
  if (next === '*') return { ...changed, [name]: { ...(changed[name] as Tree), [text]: valueIn(name) } }
  if (next === '0') return { ...changed, [name]: [text] }
  return { ...changed, [name]: put((changed[name] ?? {}) as Tree, [next, ...rest], text) }
}

const read = (tree: unknown, path: string[]): unknown =>
  path.reduce(
    (node, name) => (typeof node === 'object' && node !== null && Object.hasOwn(node, name) ? (node as Tree)[name] : undefined),
    tree,
  )

/** Returns the text of a field in a reply. The reply to an award has several entries, that to a roll has an object for each trait. */
function textIn({ body }: Answer, { path }: Field, text: string): unknown {
  if (path.at(-1) === '*') {
    const names = [...path.slice(0, -1), text]
    return (read(body, names) ?? read(body.items?.[0], names)) === valueIn(path.at(-2)) ? text : undefined
  }
  const found = read(body, path) ?? read(body.items?.[0], path)
  return read(found, ['name']) ?? found
}

/** Returns true if the field names a tracker that must exist: a text that is a valid key is 404. */
const isTrackerKey = ({ path, pattern }: Field) => pattern !== undefined && (path[0] === 'keys' || path[0] === 'trackers')

/** Returns true if the field names something that must exist: a text that nothing has is 404. */
const namesSomething = (op: (typeof plans)[number], field: Field) =>
  isTrackerKey(field) ||
  // The ruleset says which inputs a roll has, and what they may be.
  (op.id.startsWith('sheetRolls.') && field.path[0] === 'inputs') ||
  // It also says which choices there are, and which answers to its steps.
  (/^(creations\.|characters\.generate$)/.test(op.id) && ['answer', 'choices', 'tier'].includes(String(field.path[0]))) ||
  (op.id === 'invites.accept' && field.path[0] === 'code') ||
  (op.id === 'quickRolls.rollByName' && field.path[0] === 'name')

/** Returns true if the field is an input of a roll, which the reply contains only if the roll uses it. */
const isInput = (op: (typeof plans)[number], { path }: Field) => path[0] === 'values' && !/uickRolls\.(create|update)$/.test(op.id)

/** Returns true if the reply does not contain the field: the reason of a moved tracker is only in its events, and new trackers have a list of their own. */
const isNotInReply = (op: (typeof plans)[number], field: Field) =>
  isInput(op, field) || isOnlyInEvents(op, field) || (op.id === 'characters.create' && field.path[0] === 'trackers')
const isOnlyInEvents = (op: (typeof plans)[number], { path }: Field) =>
  op.computes || path[0] === 'client_seed' || (path[0] === 'reason' && /(Trackers|^characters)\.(adjust|reset)$/.test(op.id))

const excerpt = (text: string) => JSON.stringify(text).slice(0, 80)
const nameOf = ({ path }: Field) => path.join('.')

/**
 * Returns an eighth of the texts, another one for each operation, because operations share the code that reads and stores texts; and for each those that
 * no database can store, and one that is trimmed, because its schema says so. `npm run proof` sends all of them everywhere.
 */
const part = (texts: string[], index: number): string[] =>
  process.env.TEST_EVERYTHING
    ? texts
    : texts.filter((text, i) => i % 8 === index % 8 || text === ' a ' || text.includes('\0') || !text.isWellFormed())

for (const [index, op] of plans.entries()) {
  // A merge patch would collect the keys of metadata, of which there may be 50.
  const isCollected = ({ path }: Field) => op.method === 'PATCH' && path[0] === 'metadata' && path[1] === '*'
  // Several rolls take the place of the notation and the pool, whose fields theirs equal.
  const isInGroup = ({ path }: Field) => path[0] === 'rolls'
  // It must name a pack, and takes the place of the version that is copied.
  const isPack = ({ path }: Field) => op.id === 'rulesets.create' && path[0] === 'pack'
  const fields = (op.body ? fieldsOf(op.body as Schema) : []).filter((field) => !isCollected(field) && !isInGroup(field) && !isPack(field))
  if (fields.length === 0) continue

  test(`${op.id}: returns naughty text unchanged, or answers 400`, async () => {
    const { send, make, path, base, body, caller, user_id, company_id } = await scene(op)
    const { key } = caller
    if (op.writesExternalId && op.actor === 'path')
      await write(sql`UPDATE users SET role = 'ADMIN' WHERE company_id = ${company_id} AND id = ${user_id}`)
    const original = { ...(body as Tree) }
    /** The field of the reply that has the text of a field of the body. */
    const shownAs = (field: Field): Field => {
      if (op.id === 'diceRolls.void') return { ...field, path: ['void_reason'] }
      return op.id.endsWith('Trackers.setMany') ? { ...field, path: field.path.slice(2) } : field
    }
    // A name may be any text, and is accepted even if nothing has it.
    if (op.id === 'diceRolls.create' || op.id === 'dice.odds') original.missing = 'ZERO'
    if (op.id === 'diceRolls.create') {
      const campaigns = `${base}/users/${user_id}/campaigns`
      const campaign = (await call('POST', campaigns, { key, body: { name: 'Naughty' } })).body.id
      original.character_id = (await call('POST', `${campaigns}/${campaign}/characters`, { key, body: { name: 'Naughty' } })).body.id
    }
    if (op.id.endsWith('Trackers.setMany')) original.trackers = {}
    // The names of several have numbers.
    if (op.id === 'characters.generate') original.count = 1
    let isFinished = false
    let creation_id: string | undefined
    /** Sends the text in these fields and returns true if it was accepted. Replies do not contain a client seed, or anything of a computation. */
    const isAccepted = async (targets: Field[], text: string): Promise<boolean> => {
      const params: Record<string, string> = op.id === 'experienceEntries.reverse' ? { entry_id: await make('entry_id') } : {}
      if (op.id === 'diceRolls.void') params.roll_id = await make('roll_id')
      if (isFinished) creation_id = await make('creation_id')
      isFinished = false
      if (creation_id) params.creation_id = creation_id
      // A user who exists is not changed.
      if (op.id === 'users.link') params.external_id = randomUUID()
      if (op.id === 'experience.spend')
        await call('POST', path().replace(/spends$/, 'awards'), { key, body: { amount: 1, reason: 'More', user_ids: [user_id] } })
      const reply = await send({ body: targets.reduce((changed, field) => put(changed, field.path, text), original) }, params)
      if (reply.status === 400) {
        assertProblem(reply, 400, 'Validation failed for one or more fields.')
        return false
      }
      if (reply.status === 404 && targets.every((field) => namesSomething(op, field))) return false
      assert.ok(reply.status < 300, `${excerpt(text)} in ${targets.map(nameOf)}: ${reply.text.slice(0, 1000)}`)
      isFinished = op.id === 'creations.finish'
      const location = reply.headers.location ?? (op.method === 'POST' ? undefined : path())
      const answers = [reply, ...(location ? [await call('GET', location, { key })] : [])]
      for (const field of targets.filter((target) => !isNotInReply(op, target))) {
        for (const answer of answers)
          assert.equal(textIn(answer, shownAs(field), text), storedAs(field, text), `${nameOf(field)} in ${answer.text.slice(0, 1000)}`)
      }
      if (
        location &&
        op.method === 'POST' &&
        (op.conflicts?.duplicate ||
          op.mayTakeExternalId ||
          op.conflicts?.too_many_tokens ||
          op.conflicts?.too_many_webhooks ||
          op.conflicts?.too_many_creations ||
          op.conflicts?.too_many_rulesets)
      )
        assert.equal((await call('DELETE', location, { key })).status, 204)
      return true
    }
    for (const text of part(NAUGHTY, index)) {
      const accepting = fields.filter((field) => isFreeText(field) && !namesSomething(op, field) && isAcceptable(field, text))
      if (accepting.length) assert.ok(await isAccepted(accepting, text), `${excerpt(text)} was rejected in ${accepting.map(nameOf)}`)
      for (const field of fields) {
        if (accepting.includes(field)) continue
        assert.ok(!(await isAccepted([field], text)) || !isFreeText(field), `${excerpt(text)} was accepted in ${nameOf(field)}`)
      }
    }
  })
}

/** Texts that fit into a URL or a header. */
const SHORT = NAUGHTY.filter((text) => text.length <= 501)

/** Percent-encodes a text, and a lone surrogate as invalid UTF-8, like a careless client. */
const encode = (text: string) => [...text].map((point) => (point.isWellFormed() ? encodeURIComponent(point) : '%ED%A0%80')).join('')

for (const [index, op] of plans.entries()) {
  const properties = Object.entries((op.query?.properties ?? {}) as Record<string, Schema>)
  const freeTextNames = properties.filter(([, schema]) => takesText(schema) && !schema.format).map(([name]) => name)
  if (properties.length === 0) continue

  test(`${op.id}: answers 200 or 400 to naughty text in the query`, async () => {
    const { path, caller } = await scene(op)
    const assertAnswered = async (url: string) => {
      const reply = await call('GET', url, { key: caller.key })
      if (reply.status !== 200) assertProblem(reply, 400)
    }
    for (const text of part(SHORT, index)) for (const name of freeTextNames) await assertAnswered(`${path()}?${name}=${encode(text)}`)
    for (const text of SHORT.filter((_, i) => i % 12 === 0))
      await assertAnswered(`${path()}?${properties.map(([name]) => `${name}=${encode(text)}`).join('&')}`)
  })
}

test('answers 403 or 404 to naughty text as any id in a path', async () => {
  // A PUT may create what a text in its path names.
  const names = new Set(plans.filter(({ method }) => method !== 'PUT').flatMap(({ params }) => params.map(({ name }) => name)))
  for (const [index, name] of [...names].entries()) {
    const ends = plans.filter(({ params, endsWithId }) => endsWithId && params.at(-1)?.name === name)
    // Reads and deletions need no body. A roll of a ruleset can only be rolled, and the dice of a step below it.
    const op =
      ends.find(({ method }) => method !== 'POST' && method !== 'PUT') ??
      ends.find(({ method }) => method === 'POST') ??
      plans.find(({ method, params }) => method === 'POST' && params.at(-1)?.name === name)
    assert.ok(op, name)
    const { send } = await scene(op)
    for (const text of part(SHORT, index)) {
      const { status, text: reply } = await send({}, { [name]: encode(text) })
      // Invalid UTF-8 is not a valid path. An empty id, or dots, make another path, which supports other methods.
      const expected = text.isWellFormed() ? [403, 404, ...(/^\.{0,2}$/.test(text) ? [405] : [])] : [400]
      assert.ok(expected.includes(status), `${excerpt(text)} as ${name}: ${status} ${reply.slice(0, 300)}`)
    }
  }
})

test('accepts or rejects naughty text in request headers', async () => {
  const { base, key } = await newCompany()
  const texts = SHORT.map((text) => Buffer.from(text).toString('latin1')).filter((text) => /^[\t\x20-\x7e\x80-\xff]+$/.test(text))
  for (const text of texts) {
    const create = (header: string) =>
      call('POST', `${base}/users`, { key, headers: { [header]: text }, body: { name: 'Naughty', role: 'PLAYER' } })
    assertProblem(await create('on-behalf-of'), 404)
    const [first, repeated] = [await create('idempotency-key'), await create('idempotency-key')]
    assert.deepEqual([first.status, repeated.text], [201, first.text], excerpt(text))
    const location = first.headers.location as string
    assert.equal((await call('GET', location, { key, headers: { 'if-none-match': text } })).status, text.trim() === '*' ? 304 : 200)
    const matched = await call('PATCH', location, { key, headers: { 'if-match': text }, body: { name: 'Named' } })
    if (matched.status === 400) assert.equal(matched.body.invalid_parameters[0]?.field, 'If-Match')
    else assert.ok([200, 412].includes(matched.status), matched.text)
    assertProblem(await call('GET', location, { headers: { 'x-api-key': text } }), 401)
  }
})

test('finds users by their naughty names', async () => {
  const { base, key } = await newCompany()
  let found = 0
  for (const text of SHORT) {
    const created = await call('POST', `${base}/users`, { key, body: { name: text, role: 'PLAYER' } })
    // Folding removes combining marks, and leaves nothing of a name of marks alone.
    if (created.status !== 201 || !fold(text)) continue
    for (const search of [`${base}/users?sort=-date_created`, `${base}/search?type=user`]) {
      const { status, body } = await call('GET', `${search}&limit=100&q=${encode(text.trim())}`, { key })
      if (status !== 200) continue
      const ids = body.items.map(({ id }) => id)
      assert.ok(ids.includes(created.body.id), `${excerpt(text)} at ${search}`)
      found++
    }
  }
  assert.ok(found > SHORT.length, `only ${found} were found`)
})
