import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TSchema } from '@guildhall/rules/type'
import { PERMISSIONS, type Permission, permits, ROLES, type Role, ranks } from '../src/core/access.ts'
import { VERSION } from '../src/core/version.ts'
import { sql } from '../src/db/sql.ts'
import type { Plan } from '../src/http/plan.ts'
import { type Answer, assertProblem, type CallOptions, call, newCompany, newDeveloper, write } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { scene, sendNowhere } from './scene.ts'

// Tests the guarantees that the specification and the API conventions give for every operation.

/**
 * Performs an operation once, in every way in which one success proves something: as the lowest permission that suffices, by the
 * current version, and with an Idempotency-Key that a rejected request has tried before.
 */
async function perform(op: Plan, set: Awaited<ReturnType<typeof scene>>) {
  const { send, developer, body } = set
  const lowest = PERMISSIONS.find((permission) => permits(permission, op.needs.key as Permission))
  const caller = op.inCompany && !op.needs.may && lowest ? await developer(lowest) : set.caller
  const idempotencyKey = randomUUID()
  const headers: Record<string, string> = {
    ...(op.takesIdempotencyKey && { 'idempotency-key': idempotencyKey }),
    ...(op.method !== 'GET' && op.method !== 'POST' && { 'if-match': `"7", "${CHANGED_IN_SCENE.includes(op.id) ? 2 : 1}-anything"` }),
    ...(op.method === 'PATCH' && { 'content-type': 'application/merge-patch+json' }),
  }
  const request = { key: caller.key, headers }
  const rejected = op.takesIdempotencyKey ? await send({ ...request, body: { nonsense: 1 } }) : undefined
  const first = await send(request)
  return { ...set, caller, idempotencyKey, request, rejected, first, body }
}

const childParams = ({ params }: Plan) => params.map(({ name }) => name).filter((name) => name !== 'company_id')

/** Returns true if the parameter names the resource that the operation creates: a text that is unknown is then a new one. */
const isNewName = ({ method, params }: Plan, param: string | undefined) =>
  method === 'PUT' && params.some(({ name, text }) => name === param && text !== undefined)

/** The fields of a body that refer to other resources, and `member_id`, the path parameter that names a user who need not be a member yet. */
function referencesIn({ id, body }: Plan): string[] {
  const { properties = {} } = (body ?? {}) as { properties?: Record<string, TSchema> }
  const isReference = (field: TSchema) =>
    [field, (field as { items?: TSchema }).items].some((schema) => (schema as { format?: string })?.format === 'uuid')
  return [
    ...Object.keys(properties).filter((name) => isReference(properties[name] as TSchema)),
    ...(id === 'members.set' ? ['member_id'] : []),
  ]
}

/** The ids of things that are the same in every company. */
const IN_EVERY_COMPANY = ['developer_id', 'pack_id', 'condition', 'roll', 'step']

/** Operations whose scene has changed the resource once: it has a ruleset or a condition, which they remove. */
const CHANGED_IN_SCENE = ['campaignRulesets.delete', 'conditions.delete']

async function newDraft(rulesets: string, key: string): Promise<string> {
  const { body } = await call('POST', rulesets, { key, body: { name: `Game ${randomUUID()}`, document: {} } })
  return `${rulesets}/${body.id}/versions/${(body as unknown as { draft_version_id: string }).draft_version_id}`
}

async function newReferenced(
  company: Pick<Awaited<ReturnType<typeof scene>>, 'base' | 'key' | 'user' | 'user_id' | 'params'>,
  field: string,
) {
  const { base, key, user, user_id, params } = company
  if (/^(user|member)_ids?$/.test(field)) return `${base}/users/${await user('PLAYER')}`
  const create = async (collection: string) => {
    const { body, text, status } = await call('POST', collection, { key, body: { name: 'Referred to' } })
    assert.equal(status, 201, text)
    return `${collection}/${body.id}`
  }
  if (/^(copy_of|previous_version_id|version_id)$/.test(field)) return newDraft(`${base}/rulesets`, key)
  const campaigns = `${base}/users/${user_id}/campaigns`
  if (field === 'campaign_id') return create(campaigns)
  assert.equal(field, 'character_id', `no resource is created for ${field}`)
  return create(`${params.campaign_id ? `${campaigns}/${params.campaign_id}` : await create(campaigns)}/characters`)
}

/** A company in which all operations are refused, and others: one is archived. */
const refusing = once(async () => {
  const [company, foreign, archived] = [await newCompany(), await newCompany(), await newCompany()]
  assert.equal((await call('DELETE', archived.base, { key: archived.key })).status, 204)
  const { base, key, developer, user } = company
  const [user_id, archivedUser, foreignUser] = [await user('ADMIN'), await user('ADMIN'), await foreign.user('ADMIN')]
  assert.equal((await call('DELETE', `${base}/users/${archivedUser}`, { key })).status, 204)
  const keys = new Map(await Promise.all(PERMISSIONS.map(async (name) => [name, (await developer(name)).key] as const)))
  const unknown = await newDeveloper()
  await write(sql`DELETE FROM api_keys WHERE id = ${unknown.key_id}`)
  const before = await company.events()
  return { ...company, user_id, foreign, archived, archivedUser, foreignUser, keys, unknownKey: unknown.key, before }
})

/** A scene of another company for each parameter of a path: its id, and what it belongs to, are foreign. */
const foreignScenes = new Map<string, () => Promise<Awaited<ReturnType<typeof scene>>>>()
function foreignTo(op: Plan, param: string) {
  const path = op.path.slice(0, op.path.indexOf(`{${param}}`))
  const made = foreignScenes.get(path) ?? once(() => scene(op))
  foreignScenes.set(path, made)
  return made()
}

const idIn = (path: string) => path.slice(path.lastIndexOf('/') + 1)

for (const op of plans) {
  // Requests that are refused, and reads, write nothing, so they share a scene.
  const shared = once(() => scene(op))
  const performed = once(async () => perform(op, await (op.act === 'read' ? shared() : scene(op))))
  /** Sends the request with ids of nothing in a company where every operation is refused. */
  const sendRefused = async (request: CallOptions, changed: Record<string, string> = {}) => {
    const { company_id, user_id, key } = await refusing()
    return sendNowhere(op, { company_id, user_id, ...changed }, { key, ...request })
  }

  test(`${op.id}: answers 401 to a missing, empty, malformed or unknown key`, async () => {
    for (const headers of [{}, { 'x-api-key': '' }] as Record<string, string>[]) {
      const reply = await sendRefused({ key: '', headers })
      assertProblem(reply, 401, 'API key not provided')
      assert.equal(reply.body.title, 'Unauthorized')
      assert.match(reply.headers['www-authenticate'] ?? '', /X-API-KEY/)
    }
    const { key: known, unknownKey } = await refusing()
    for (const key of ['nonsense', `${known.slice(0, -1)}_`, unknownKey])
      assertProblem(await sendRefused({ key }), 401, 'Unauthorized API key')
  })

  test(`${op.id}: answers with the declared status, schema and headers`, async () => {
    const { first: reply } = await performed()
    const [status, schema] = op.reply
    assert.equal(reply.status, status, reply.text)
    assert.match(reply.headers['x-request-id'] ?? '', /^req_/)
    assert.equal(reply.headers['guildhall-version'], VERSION)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    assert.equal(reply.headers['cache-control'], op.hasETag ? 'private, no-cache' : 'no-store')
    if (!schema) return assert.equal(reply.text, '')
    if (op.streams) return assert.match(reply.text, /^retry: \d+\n\nevent: ready\nid: [\w-]+\ndata: {"date":"[^"]+"}\n\n$/)
    if (op.isVersioned) assert.match(reply.headers.etag ?? '', new RegExp(`^"${reply.body.version}-[\\w-]{16}"$`))
    if (op.isList) assert.match(reply.headers.etag ?? '', /^"list-[\w-]{16}"$/)
    if (status === 201 && 'id' in reply.body) {
      const found = await call('GET', reply.headers.location as string, { key: (await newDeveloper(true)).key })
      assert.ok(found.status === 200 || op.id === 'keys.rotate', `${reply.headers.location} answers ${found.status}`)
      // The reply to a POST is built from the request and must equal the stored resource. A secret is shown only once.
      if (op.isVersioned && !op.secret && op.method === 'POST') assert.equal(found.text, reply.text)
    }
  })

  if (op.method !== 'GET') {
    test(`${op.id}: records its event with the developer who called`, async () => {
      const { first: reply, eventsOf, caller } = await performed()
      if (op.computes)
        return assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [], 'computes only, and writes no event')
      assert.ok(op.emits, 'a write declares its event')
      const events = await eventsOf(reply.headers['x-request-id'] as string)
      if (op.id.endsWith('.restore')) return assert.deepEqual(events, [], 'restoring a live resource writes no event')
      if (op.id === 'users.link') return assert.deepEqual(events, [], 'linking a user who exists writes no event')
      assert.ok(events.length > 0)
      for (const { type, developer_id } of events) {
        assert.ok((op.events as readonly string[]).includes(type), `${type} is declared`)
        assert.equal(developer_id, caller.id)
      }
    })
  }

  if (op.inCompany) {
    test(`${op.id}: answers the same 403 for a foreign, unknown, malformed or archived company`, async () => {
      const { foreign, archived } = await refusing()
      const replies = []
      for (const company_id of [foreign.company_id, randomUUID(), 'nonsense', archived.company_id])
        replies.push(await sendRefused({}, { company_id }))
      // Its owner gets 403 too, except when restoring it.
      if (!op.needs.archived) replies.push(await sendRefused({ key: archived.key }, { company_id: archived.company_id }))
      for (const reply of replies) {
        assertProblem(reply, 403, 'No rights to access this resource')
        const { request_id, instance, ...problem } = reply.body
        assert.deepEqual(problem, {
          type: '/docs/errors/forbidden',
          status: 403,
          title: 'Forbidden',
          detail: 'No rights to access this resource',
          code: 'forbidden',
          reason: 'company_access',
          why: 'the company does not exist, is archived, or the key has no access to it',
        })
      }
    })

    test(`${op.id}: answers 403 to a lower permission, and accepts the required one`, async () => {
      for (const [name, key] of (await refusing()).keys)
        if (!permits(name, op.needs.key as Permission)) assertProblem(await sendRefused({ key }), 403, 'No rights to access this resource')
      if (op.needs.may) return
      const { first } = await performed()
      assert.ok(first.status < 400, first.text)
    })

    test(`${op.id}: answers 404 for an unknown, malformed, archived or foreign acting user`, async () => {
      const { archivedUser, foreignUser } = await refusing()
      for (const actor of [randomUUID(), 'nonsense', archivedUser, foreignUser]) {
        const reply =
          op.actor === 'path' ? await sendRefused({}, { user_id: actor }) : await sendRefused({ headers: { 'on-behalf-of': actor } })
        assertProblem(reply, 404, 'User not found')
      }
    })

    if (op.needs.role) {
      test(`${op.id}: answers 403 to an acting user with a lower role`, async () => {
        const { send, user, eventsOf } = await (op.act === 'read' ? shared() : scene(op))
        for (const role of ROLES) {
          const actor = await user(role)
          const reply = op.actor === 'path' ? await send({}, { user_id: actor }) : await send({ headers: { 'on-behalf-of': actor } })
          const suffices = ranks(role, op.needs.role as Role)
          if (!suffices) assertProblem(reply, 403, 'No rights to access this resource')
          else assert.ok(reply.status < 400, reply.text)
          if (!suffices) assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
        }
      })
    }
  }

  if (op.needs.key === 'GLOBAL_ADMIN') {
    test(`${op.id}: answers 403 to a key that is not of a global admin`, async () => {
      assertProblem(await sendRefused({}), 403, 'No rights to access this resource')
    })
  }

  for (const param of childParams(op).filter((name) => !isNewName(op, name))) {
    test(`${op.id}: answers 404 for a malformed, unknown or foreign ${param}`, async () => {
      const { send } = await shared()
      const foreignIds = op.inCompany && !IN_EVERY_COMPANY.includes(param) ? [(await foreignTo(op, param)).params[param] as string] : []
      const ids = ['nonsense', randomUUID(), `${randomUUID()}0`, '0', ...foreignIds]
      for (const id of ids) assertProblem(await send({}, { [param]: id }), 404, /^[A-Z][a-z ]+ not found$/)
    })
  }

  for (const name of referencesIn(op)) {
    test(`${op.id}: answers 404 for an unknown, foreign or archived ${name}, and writes no event`, async () => {
      const { send, body, eventsOf, ...company } = await shared()
      const { foreign, foreignUser: user_id } = await refusing()
      const foreignId = idIn(await newReferenced({ ...foreign, user_id, params: {} }, name))
      const archived = await newReferenced(company, name)
      assert.equal((await call('DELETE', archived, { key: company.key })).status, 204)
      for (const id of [randomUUID(), foreignId, idIn(archived)]) {
        const sent = { ...body, [name]: name.endsWith('_ids') ? [id] : id }
        const reply = name === 'member_id' ? await send({}, { [name]: id }) : await send({ body: sent })
        assertProblem(reply, 404, /^[A-Z][a-z]+ not found$/)
        assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
      }
    })
  }

  test(`${op.id}: the pipeline looks up every resource that the path leads through`, () => {
    for (const { name } of op.params.slice(0, -1)) {
      if (name === 'company_id' || name === 'user_id' || op.needs.key === 'GLOBAL_ADMIN') continue
      assert.ok(
        op.through.some((resource) => `${resource.name}_id` === name),
        `${name} is not a path resource`,
      )
    }
  })

  for (const parent of op.through.filter((resource) => !resource.param && resource !== op.subject)) {
    test(`${op.id}: answers 404 for a resource of another ${parent.name}`, async () => {
      const { send, make } = await shared()
      // Lists, creations and actions accept any parent, and any user can become a member.
      if (!/}[^{]*{\w+}[^{]*$/.test(op.path.slice(op.path.indexOf(`{${parent.name}_id}`))) || op.id === 'members.set') return
      if (isNewName(op, op.params.at(-1)?.name)) return
      // Every creation by the same ruleset has the same steps.
      if (op.id === 'creations.roll' && parent.name === 'creation') return
      // All characters of a campaign have the rolls of its ruleset.
      if (op.id.startsWith('sheetRolls.') && parent.name === 'character') return
      assertProblem(await send({}, { [`${parent.name}_id`]: await make(`${parent.name}_id`) }), 404, /^[A-Z][a-z ]+ not found$/)
    })
  }

  test(`${op.id}: answers 400 to unknown query parameters`, async () => {
    const { pathWithQuery, caller, body } = await shared()
    const reply = await call(op.method, pathWithQuery('company_id=1&nonsense=2'), { key: caller.key, ...(body !== undefined && { body }) })
    assertProblem(reply, 400, 'Validation failed for one or more fields.')
    assert.deepEqual(reply.body.invalid_parameters.map(({ field }) => field).sort(), ['company_id', 'nonsense'])
  })

  if (op.takesBody) {
    test(`${op.id}: answers 400 to unknown fields, company_id and id among them, and writes no event`, async () => {
      const { send, body, eventsOf } = await shared()
      const reply = await send({ body: { ...(body as object), company_id: randomUUID(), id: randomUUID(), version: 7, ünknown: null } })
      assertProblem(reply, 400, 'Validation failed for one or more fields.')
      assert.deepEqual(reply.body.invalid_parameters.map(({ field }) => field).sort(), ['company_id', 'id', 'version', 'ünknown'])
      assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
    })

    test(`${op.id}: answers 400, 413 or 415 to a body that is not a JSON object, is too large or has another type`, async () => {
      const { send } = await shared()
      const json = { 'content-type': 'application/json' }
      for (const body of [
        '{',
        '[]',
        'null',
        '"text"',
        '7',
        '{"name": "\\u0000"}',
        '{"name":"\\ud800"}',
        `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
      ]) {
        assertProblem(await send({ body, headers: json }), 400, 'Validation failed for one or more fields.')
      }
      assertProblem(await send({ body: '{}', headers: { 'content-type': 'text/plain' } }), 415)
      assertProblem(await send({ body: JSON.stringify({ name: 'x'.repeat(300_000) }), headers: json }), 413)
    })
  }

  if (op.takesIdempotencyKey) {
    test(`${op.id}: replays the reply to an Idempotency-Key, and rejects the key with another body`, async () => {
      const { send, eventsOf, body, request, first, idempotencyKey } = await performed()
      assert.ok(first.status < 300, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      const again = await send({ ...request, headers: { ...request.headers, 'idempotency-key': `"${idempotencyKey}"` } })
      assert.equal(again.headers['idempotent-replayed'], 'true')
      for (const name of ['etag', 'location', 'content-type']) assert.equal(again.headers[name], first.headers[name])
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.deepEqual(await eventsOf(again.headers['x-request-id'] as string), [])
      const other = await send({ ...request, body: { ...(body as object), nonsense: 1 } })
      assertProblem(other, 409)
      assert.equal(
        other.body.detail,
        `Idempotency key '${idempotencyKey}' was previously used with a different request body. Each unique request must use a unique idempotency key.`,
      )
    })

    test(`${op.id}: a rejected request does not use up its Idempotency-Key`, async () => {
      const { rejected, first } = await performed()
      assertProblem(rejected as Answer, 400)
      assert.ok(first.status < 300)
    })
  }

  if (op.method === 'PATCH') {
    test(`${op.id}: answers 400 to an empty patch; a patch without changes keeps the version and writes no event`, async () => {
      assertProblem(await (await shared()).send({ body: {} }), 400)
      const { send, eventsOf, first, caller } = await performed()
      const again = await send({ key: caller.key })
      assert.deepEqual([again.status, again.body.version], [200, first.body.version])
      assert.deepEqual(await eventsOf(again.headers['x-request-id'] as string), [])
    })

    test(`${op.id}: answers 400 to null in a required field`, async () => {
      assertProblem(await (await shared()).send({ body: { name: null } }), 400)
    })
  }

  if (op.method !== 'GET' && op.method !== 'POST') {
    test(`${op.id}: answers 412 to the If-Match of another version and 400 to a malformed one, and writes no event`, async () => {
      const { send, eventsOf } = await shared()
      for (const [tag, status] of [
        ['"99-abc"', 412],
        ['"nonsense"', 412],
        ['W/"98"', 412],
        ['1', 400],
        ['nonsense', 400],
      ] as const) {
        const refused = await send({ headers: { 'if-match': tag } })
        assertProblem(refused, status)
        assert.deepEqual(await eventsOf(refused.headers['x-request-id'] as string), [])
      }
      // The first of these does not match, and the second does.
      const { request, first } = await performed()
      assert.match(request.headers['if-match'] ?? '', /^"7", "\d-anything"$/)
      assert.ok(first.status < 300, first.text)
    })
  }

  if (op.method === 'GET') {
    test(`${op.id}: answers HEAD like GET, without a body`, async () => {
      const { pathWithQuery, send, caller } = await shared()
      const [get, head] = [await send(), await call('HEAD', pathWithQuery(), { key: caller.key })]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['etag', 'link', 'content-length', 'content-type']) assert.equal(head.headers[name], get.headers[name], name)
    })
    if (op.hasETag) {
      test(`${op.id}: answers 304 to If-None-Match with the current ETag`, async () => {
        const { send } = await shared()
        const { headers } = await send()
        const fresh = await send({ headers: { 'if-none-match': `"0-x", ${headers.etag}` } })
        assert.deepEqual([fresh.status, fresh.text, fresh.headers.etag], [304, '', headers.etag])
        assert.equal((await send({ headers: { 'if-none-match': '"0-x"' } })).status, 200)
      })
    }
  }

  if (op.isList) {
    test(`${op.id}: returns pages by limit and offset, and rejects invalid values`, async () => {
      const { pathWithQuery, caller } = await shared()
      const get = (query: string) => call('GET', pathWithQuery(query), { key: caller.key })
      const { items, limit, offset, total, next_cursor, ...others } = (await get('')).body
      // A page without items has no cursor; a list without cursors has no such field.
      const otherFields = { ...others, ...(op.hasCursors && { next_cursor: null }) }
      assert.equal(typeof next_cursor, !op.hasCursors ? 'undefined' : total > 10 ? 'string' : 'object')
      assert.deepEqual([limit, offset], [10, 0])
      assert.equal(items.length, Math.min(10, total))
      const none = await get('limit=0')
      assert.deepEqual(none.body, { items: [], limit: 0, offset: 0, total, ...otherFields })
      assert.equal(none.headers.link, undefined)
      const beyond = await get('limit=5&offset=9007199254740991')
      assert.deepEqual(beyond.body, { items: [], limit: 5, offset: 9007199254740991, total, ...otherFields })
      assert.match((await get('limit=1')).headers.link ?? '', /rel="first".*rel="last"/)
      for (const bad of [
        'limit=101',
        'limit=-1',
        'limit=1.5',
        'limit=abc',
        'limit=',
        'limit=1&limit=2',
        'limit=1e1',
        'limit=0x1',
        'limit=%201',
        'limit=007',
        'limit=-0',
      ]) {
        assertProblem(await get(bad), 400)
      }
      for (const bad of ['offset=-1', 'offset=9007199254740992', 'offset=abc', 'offset=', 'sort=nonsense', 'q=%00', 'archived=1'])
        assertProblem(await get(bad), 400)
      if (op.hasCursors)
        for (const bad of [
          'after=',
          'after=nonsense',
          `after=${'x'.repeat(4001)}`,
          'after=x&after=y',
          'after=%00',
          'after=nonsense&offset=0',
        ])
          assert.deepEqual([...new Set((await get(bad)).body.invalid_parameters?.map(({ field }) => field))], ['after'], bad)
    })

    test(`${op.id}: sorts by every field in both directions`, async () => {
      const { pathWithQuery, caller } = await shared()
      const sorts = (op.query as unknown as { properties: Record<string, { enum?: string[] }> }).properties.sort?.enum?.filter(
        (sort) => !sort.startsWith('-'),
      )
      for (const sort of sorts ?? []) {
        const [ascending, descending] = [
          await call('GET', pathWithQuery(`sort=${sort}&limit=100`), { key: caller.key }),
          await call('GET', pathWithQuery(`sort=-${sort}&limit=100`), { key: caller.key }),
        ]
        const ids = (reply: Answer) => reply.body.items.map(({ id }) => id)
        if (ascending.body.total <= 100) assert.deepEqual(ids(descending), ids(ascending).reverse())
        if (!sort.startsWith('date_')) continue
        const dates = ascending.body.items.map((item) => String(item[sort]))
        assert.deepEqual(dates, dates.toSorted())
      }
    })

    const accepted = Object.keys((op.query as unknown as { properties: object }).properties)
    if (accepted.includes('ids')) {
      test(`${op.id}: lists the items with these ids, and rejects invalid ids`, async () => {
        const { pathWithQuery, caller } = await shared()
        const get = (query: string) => call('GET', pathWithQuery(query), { key: caller.key })
        const { items } = (await get('limit=100')).body
        const found = async (query: string) => {
          const { body, headers, status, text } = await get(`limit=100&${query}`)
          assert.equal(status, 200, text)
          assert.deepEqual([body.total, headers.link], [body.items.length, undefined])
          return body.items.map(({ id }) => id)
        }
        for (const id of items.slice(0, 2).map((item) => item.id)) {
          assert.deepEqual(await found(`ids=${id}`), [id])
          assert.deepEqual(await found(`ids=${randomUUID()},${id.toUpperCase()},${id}`), [id])
          assert.deepEqual(await found(`ids=${id}&ids=${randomUUID()}`), [id])
        }
        const all = items.slice(0, 100).map(({ id }) => id)
        if (all.length) assert.deepEqual(await found(`ids=${all.toReversed()}`), all, 'in the order of the list, not of the ids')
        assert.deepEqual(await found(`ids=${Array.from({ length: 100 }, () => randomUUID())}`), [])
        for (const bad of ['', 'nonsense', `${randomUUID()},`, 'null', Array.from({ length: 101 }, () => randomUUID())])
          assertProblem(await get(`ids=${bad}`), 400)
      })
    }
    if (accepted.includes('modified_since')) {
      test(`${op.id}: lists the items that changed since a time, inclusively`, async () => {
        const { pathWithQuery, caller } = await shared()
        const get = (query: string) => call('GET', pathWithQuery(query), { key: caller.key })
        const { items, total } = (await get('limit=100&sort=-date_modified')).body
        const since = async (time: string) => (await get(`limit=100&modified_since=${encodeURIComponent(time)}`)).body
        for (const time of ['0000-01-01T00:00:00Z', '1970-01-01T00:00:00+14:00', '2000-01-01T00:00:00.123456789Z'])
          assert.equal((await since(time)).total, total)
        assert.deepEqual([(await since('9999-12-31T23:59:59Z')).total, (await since('9999-12-31T23:59:59Z')).items], [0, []])
        const [last] = items
        if (last) {
          const changed = await since(String(last.date_modified))
          const expected = items.filter(({ date_modified }) => date_modified === last.date_modified)
          assert.deepEqual(changed.items.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort())
          assert.equal(changed.total, expected.length)
        }
        for (const bad of ['', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '1763164800', '2026-01-01T00:00:00'])
          assertProblem(await get(`modified_since=${bad}`), 400)
      })
    }
  }

  // The innermost first: below an archived resource nothing is found, also not what is archived. These are the last tests in their scene.
  for (const parent of op.through.filter((resource) => !resource.param && resource !== op.subject).toReversed()) {
    test(`${op.id}: answers 404 below an archived ${parent.name}, or 409 when restoring, and writes no event`, async () => {
      const { send, path, key, user, eventsOf } = await shared()
      const admin_id = await user('ADMIN')
      const byAdmin = path({ user_id: admin_id })
      const parentPath = byAdmin.slice(0, path({ user_id: admin_id, [`${parent.name}_id`]: '*' }).indexOf('*') + 36)
      assert.equal((await call('DELETE', parentPath, { key })).status, 204)
      const reply = await send()
      if (op.id.endsWith('.restore'))
        assertProblem(reply, 409, `The ${parent.name} this belongs to is archived. Restore the ${parent.name} first.`)
      else assertProblem(reply, 404, `${parent.name[0]?.toUpperCase()}${parent.name.slice(1)} not found`)
      assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
    })
  }
}

for (const restore of plans.filter(({ id, path }) => id.endsWith('.restore') && path.includes('}/'))) {
  const path = restore.path.replace(/\/{\w+}\/restore$/, '')
  const list = plans.find((op) => op.method === 'GET' && op.path === path)
  const remove = plans.find((op) => op.method === 'DELETE' && op.path === restore.path.replace(/\/restore$/, ''))
  if (!list || !remove || !list.inCompany) continue
  const removed = once(async () => {
    const set = await scene(remove)
    assert.equal((await set.send()).status, 204)
    return set
  })
  test(`${list.id}: archived=true lists only resources that the caller may restore`, async () => {
    const { path, key, developer, user } = await removed()
    const archived = (apiKey: string, actor = {}) => call('GET', `${path(actor).replace(/\/[^/]+$/, '')}?archived=true`, { key: apiKey })
    assert.equal((await archived(key)).body.total, 1)
    if (list.actor === 'path') assert.equal((await archived(key, { user_id: await user('PLAYER') })).body.total, 0)
    if (permits('USER', restore.needs.key as 'USER')) return
    const refused = await archived((await developer('USER')).key)
    if (permits('USER', list.needs.key as 'USER')) assert.equal(refused.body.total, 0)
    else assertProblem(refused, 403)
  })

  if (!restore.subject) continue
  test(`${restore.id}: answers 404 for an archived resource to a user who may not restore it, like GET`, async () => {
    const { path, key, user, eventsOf } = await removed()
    const archivedPath = path({ user_id: await user('PLAYER') })
    const expected = await call('GET', archivedPath, { key })
    assertProblem(expected, 404, /^[A-Z][a-z]+ not found$/)
    for (const reply of [await call('DELETE', archivedPath, { key }), await call('POST', `${archivedPath}/restore`, { key })]) {
      assertProblem(reply, 404, expected.body.detail)
      assert.deepEqual(await eventsOf(reply.headers['x-request-id'] as string), [])
    }
  })
}

test('no request that was refused has written anything', async () => {
  const { events, before } = await refusing()
  assert.deepEqual(await events(), before)
})

test('answers 405 with Allow to a method that a path does not support, 204 with Allow to OPTIONS, and 401 before', async () => {
  const { key } = await newCompany()
  const paths = new Map<string, Set<string>>()
  for (const { path, method } of plans) paths.set(path, (paths.get(path) ?? new Set()).add(method))
  for (const path of paths.keys()) {
    const url = `/api/v1${path.replaceAll(/{\w+}/g, randomUUID())}`
    // A text that a client chooses may equal a fixed segment: `trackers/reset` is also the path of a tracker.
    const matching = [...paths].filter(([shape]) => new RegExp(`^/api/v1${shape.replaceAll(/{\w+}/g, '[^/]+')}$`).test(url))
    const methods = new Set(matching.flatMap(([, names]) => [...names]))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (methods.has(method)) continue
      assertProblem(await call(method, url), 401)
      const refused = await call(method, url, { key })
      if (method === 'OPTIONS') assert.deepEqual([refused.status, refused.text], [204, ''])
      else assertProblem(refused, 405)
      assert.deepEqual(
        refused.headers.allow
          ?.split(', ')
          .filter((name) => name !== 'HEAD')
          .sort(),
        [...methods, 'OPTIONS'].sort(),
      )
    }
  }
})

test('every list takes ids, and modified_since where its items have a date_modified', () => {
  /** Items without an id of their own, packs, whose id is a text, and hits in the order of their rank. */
  const WITHOUT_IDS = ['search.asUser', 'search.get', 'experience.listOwn', 'experience.list', 'packs.list', 'rulesetVersions.listTerms']
  for (const { id, query, reply } of plans.filter(({ isList }) => isList)) {
    const { properties } = query as unknown as { properties: Record<string, { enum?: string[] }> }
    const { items } = (reply[1] as unknown as { properties: { items: { items: { properties: object } } } }).properties
    const isModifiable = 'date_modified' in items.items.properties
    assert.equal('ids' in properties, !WITHOUT_IDS.includes(id), id)
    assert.equal('modified_since' in properties, isModifiable, id)
    assert.equal(properties.sort?.enum?.includes('-date_modified') ?? false, isModifiable, id)
  }
})

test('ids and routes of operations are unique', () => {
  assert.equal(new Set(plans.map(({ id }) => id)).size, plans.length)
  assert.equal(new Set(plans.map(({ method, path }) => `${method} ${path}`)).size, plans.length)
})

test('no body, query or header moves a resource to another company', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  await write(sql`INSERT INTO grants (company_id, id, permission, date_created, date_modified)
    VALUES (${theirs.company_id}, ${mine.owner.id}, 'OWNER', now(), now())`)
  const { key } = mine
  const path = `${mine.base}/users/${await mine.user('PLAYER')}`
  const elsewhere = theirs.company_id
  assertProblem(await call('PATCH', path, { key, body: { company_id: elsewhere } }), 400)
  assertProblem(await call('PATCH', path, { key, body: { name: 'x', company: { id: elsewhere } } }), 400)
  assertProblem(await call('PATCH', `${path}?company_id=${elsewhere}`, { key, body: { name: 'x' } }), 400)
  const headers = { 'x-company-id': elsewhere, 'company-id': elsewhere, 'x-http-method-override': 'PUT', 'x-original-url': theirs.base }
  const patched = await call('PATCH', path, { key, body: { name: 'Still here' }, headers })
  assert.equal(patched.body.company_id, mine.company_id)
  assertProblem(await call('POST', `${mine.base}/users`, { key, body: { name: 'x', role: 'PLAYER', company_id: elsewhere } }), 400)
  assertProblem(await call('GET', path.replace(mine.company_id, elsewhere), { key }), 404, 'User not found')
  assert.equal((await call('GET', `${theirs.base}/users`, { key })).body.total, 0)
})
