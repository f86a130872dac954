import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '../src/core/text.ts'
import { operations } from '../src/resources/index.ts'
import { type Answer, assertProblem, call, newCompany } from './harness.ts'
import { NAUGHTY } from './naughty.ts'
import { scene } from './scene.ts'

// Texts that have broken other programs, in every place of the API that takes text.

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
  'x-trim'?: true
}
/** The path is where it stands in a body: `['pool', 'traits', '0']`, and `['traits', '*']` for the names in traits. */
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
  ]
}

/** Whether it takes any text; else only a certain one will do, such as an address or dice notation. */
const isFree = ({ path, format, pattern }: Field) => !format && !pattern && path[0] !== 'notation'

const storedAs = (field: Field, text: string) => (field['x-trim'] ? text.trim() : text)

/** What the contract says of it. */
function isTaken(field: Field, text: string): boolean {
  const { minLength = 0, maxLength = 0 } = field
  const length = [...storedAs(field, text)].length
  return !text.includes('\0') && text.isWellFormed() && length >= minLength && length <= maxLength
}

/** A roll has notation or a pool, a pool has dice or traits; and traits that a character lacks are worth nothing. */
const INSTEAD: Record<string, Tree> = { notation: { pool: undefined }, pool: { pool: { modifier: 1 } } }

function put(body: Tree, [name = '', next, ...rest]: string[], text: string): Tree {
  const changed = { ...body, ...INSTEAD[name] }
  if (next === undefined) return { ...changed, [name]: text }
  if (next === '*') return { ...changed, [name]: { [text]: 3 } }
  if (next === '0') return { ...changed, [name]: [text] }
  return { ...changed, [name]: put((changed[name] ?? {}) as Tree, [next, ...rest], text) }
}

const read = (tree: unknown, path: string[]): unknown =>
  path.reduce((at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Tree)[name] : undefined), tree)

/** The text as a reply has it; an award answers with several entries, a roll with what its traits were worth. */
function saidBack({ body }: Answer, { path }: Field, text: string): unknown {
  if (path.at(-1) === '*') return read(body, [...path.slice(0, -1), text]) === 3 ? text : undefined
  const found = read(body, path) ?? read(body.items?.[0], path)
  return read(found, ['name']) ?? found
}

const shown = (text: string) => JSON.stringify(text).slice(0, 80)
const at = ({ path }: Field) => path.join('.')

for (const op of operations) {
  const fields = op.body ? fieldsOf(op.body as Schema) : []
  if (fields.length === 0) continue

  test(`${op.id}: naughty text comes back as it was sent, or is 400`, async () => {
    const { send, make, path, base, body, caller, user_id } = await scene(op)
    const { key } = caller
    const given = { ...(body as Tree) }
    if (op.id === 'diceRolls.create') {
      const campaigns = `${base}/users/${user_id}/campaigns`
      const campaign = (await call('POST', campaigns, { key, body: { name: 'Naughty' } })).body.id
      given.character_id = (await call('POST', `${campaigns}/${campaign}/characters`, { key, body: { name: 'Naughty' } })).body.id
    }
    /** Sends the text in these fields; tells whether it was taken. What is computed names nothing, a seed only its proof. */
    const tried = async (those: Field[], text: string): Promise<boolean> => {
      const places: Record<string, string> = op.id === 'experienceEntries.reverse' ? { entry_id: await make('entry_id') } : {}
      if (op.id === 'experience.spend')
        await call('POST', path().replace(/spends$/, 'awards'), { key, body: { amount: 1, reason: 'More', user_ids: [user_id] } })
      const reply = await send({ body: those.reduce((changed, field) => put(changed, field.path, text), given) }, places)
      if (reply.status === 400) {
        assertProblem(reply, 400, 'Validation failed for one or more fields.')
        return false
      }
      assert.ok(reply.status < 300, `${shown(text)} in ${those.map(at)}: ${reply.text.slice(0, 1000)}`)
      const kept = reply.headers.location ?? (op.method === 'POST' ? undefined : path())
      const answers = [reply, ...(kept ? [await call('GET', kept, { key })] : [])]
      for (const field of those.filter(({ path }) => !op.computes && path[0] !== 'client_seed')) {
        for (const answer of answers)
          assert.equal(saidBack(answer, field, text), storedAs(field, text), `${at(field)} in ${answer.text.slice(0, 1000)}`)
      }
      if (kept && op.method === 'POST' && op.conflicts?.duplicate) assert.equal((await call('DELETE', kept, { key })).status, 204)
      return true
    }
    for (const text of NAUGHTY) {
      const taken = fields.filter((field) => isFree(field) && isTaken(field, text))
      if (taken.length) assert.ok(await tried(taken, text), `${shown(text)} was refused in ${taken.map(at)}`)
      for (const field of fields) {
        if (taken.includes(field)) continue
        assert.ok(!(await tried([field], text)) || !isFree(field), `${shown(text)} was taken in ${at(field)}`)
      }
    }
  })
}

/** What a target or a header can hold: the long ones are for bodies. */
const SHORT = NAUGHTY.filter((text) => text.length <= 501)

/** Percent-encoded; what has no UTF-8, as a careless client would. */
const encoded = (text: string) => [...text].map((point) => (point.isWellFormed() ? encodeURIComponent(point) : '%ED%A0%80')).join('')

for (const [turn, op] of operations.entries()) {
  const properties = Object.entries((op.query?.properties ?? {}) as Record<string, Schema>)
  const free = properties.filter(([, schema]) => takesText(schema) && !schema.format).map(([name]) => name)
  if (properties.length === 0) continue

  test(`${op.id}: naughty text in its query is answered, or 400`, async () => {
    const { path, caller } = await scene(op)
    const answered = async (at: string) => {
      const reply = await call('GET', at, { key: caller.key })
      if (reply.status !== 200) assertProblem(reply, 400)
    }
    // A quarter of them each: what takes a query is the same code for all.
    const some = SHORT.filter((_, i) => i % 4 === turn % 4)
    for (const text of some) for (const name of free) await answered(`${path()}?${name}=${encoded(text)}`)
    for (const text of SHORT.filter((_, i) => i % 12 === 0))
      await answered(`${path()}?${properties.map(([name]) => `${name}=${encoded(text)}`).join('&')}`)
  })
}

test('naughty text as an id in a path is 403 or 404, whatever it stands for', async () => {
  const names = new Set(operations.flatMap(({ path }) => [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name as string)))
  for (const name of names) {
    const op = operations.find(({ method, path }) => method !== 'POST' && path.includes(`{${name}}`))
    assert.ok(op, name)
    const { send } = await scene(op)
    for (const text of SHORT) {
      const { status, text: reply } = await send({}, { [name]: encoded(text) })
      // What is not UTF-8 is no path; with no id at all it is another one, which takes other methods.
      const expected = text.isWellFormed() ? [403, 404, ...(text ? [] : [405])] : [400]
      assert.ok(expected.includes(status), `${shown(text)} as ${name}: ${status} ${reply.slice(0, 300)}`)
    }
  }
})

test('naughty text in the headers we read is judged', async () => {
  const { base, key } = await newCompany()
  const texts = SHORT.map((text) => Buffer.from(text).toString('latin1')).filter((text) => /^[\t\x20-\x7e\x80-\xff]+$/.test(text))
  for (const text of texts) {
    const create = (header: string) =>
      call('POST', `${base}/users`, { key, headers: { [header]: text }, body: { name: 'Naughty', role: 'PLAYER' } })
    assertProblem(await create('on-behalf-of'), 404)
    const [first, again] = [await create('idempotency-key'), await create('idempotency-key')]
    assert.deepEqual([first.status, again.text], [201, first.text], shown(text))
    const at = first.headers.location as string
    assert.equal((await call('GET', at, { key, headers: { 'if-none-match': text } })).status, text.trim() === '*' ? 304 : 200)
    const matched = await call('PATCH', at, { key, headers: { 'if-match': text }, body: { name: 'Named' } })
    if (matched.status === 400) assert.equal(matched.body.invalid_parameters[0]?.field, 'If-Match')
    else assert.ok([200, 412].includes(matched.status), matched.text)
    assertProblem(await call('GET', at, { headers: { 'x-api-key': text } }), 401)
  }
})

test('who has a naughty name is found by it', async () => {
  const { base, key } = await newCompany()
  let found = 0
  for (const text of SHORT) {
    const made = await call('POST', `${base}/users`, { key, body: { name: text, role: 'PLAYER' } })
    // Of marks alone nothing is left to compare.
    if (made.status !== 201 || !fold(text)) continue
    for (const asked of [`${base}/users?sort=-date_created`, `${base}/search?type=user`]) {
      const { status, body } = await call('GET', `${asked}&limit=100&q=${encoded(text.trim())}`, { key })
      if (status !== 200) continue
      const ids = body.items.map(({ id }) => id)
      assert.ok(ids.includes(made.body.id), `${shown(text)} at ${asked}`)
      found++
    }
  }
  assert.ok(found > SHORT.length, `only ${found} were looked for`)
})
