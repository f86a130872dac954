import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { PERMISSIONS, permits, ROLES, type Role, ranks } from '../src/core/access.ts'
import { sql } from '../src/db/sql.ts'
import { eventsOf, isSubject, type Operation } from '../src/http/operation.ts'
import { sampleOf } from '../src/http/reference/example.ts'
import { openapi } from '../src/http/reference/openapi.ts'
import { operations } from '../src/resources/index.ts'
import { type Answer, assertProblem, call, newCompany, newDeveloper, write } from './harness.ts'
import { isNested, scene as newScene } from './scene.ts'

// What the specification and the contract promise of every endpoint, asked of every endpoint.

const ajv = new Ajv({ allErrors: true, strict: false, formats: { int32: true, int64: true } })
formats.default(ajv, ['uuid', 'date-time', 'email'])
const closed = (schema: TSchema): object =>
  JSON.parse(JSON.stringify(schema), (_key, value) =>
    value?.type === 'object' && value.properties ? { ...value, additionalProperties: false } : value,
  )

const { paths } = openapi(operations) as unknown as { paths: Record<string, Record<string, { responses: object }>> }
const documented = ({ path, method }: Operation) => Object.keys(paths[`/api/v1${path}`]?.[method.toLowerCase()]?.responses ?? {})

/** The scene of an operation; whatever it answers must be documented. */
async function scene(op: Operation) {
  const made = await newScene(op)
  const send: typeof made.send = async (...request) => {
    const answer = await made.send(...request)
    assert.ok(documented(op).includes(String(answer.status)), `${answer.status} is not in openapi.json: ${answer.text}`)
    return answer
  }
  return { ...made, send }
}

const takesBody = (op: Operation) => ['POST', 'PUT', 'PATCH'].includes(op.method)
const inCompany = (op: Operation) => op.path.includes('{company_id}')
const isList = (op: Operation) => Boolean((op.reply[1] as { properties?: { limit?: object } } | undefined)?.properties?.limit)
const isVersioned = (op: Operation) => Boolean((op.reply[1] as { properties?: { version?: object } } | undefined)?.properties?.version)
const childParams = (op: Operation) =>
  [...op.path.matchAll(/{(\w+)}/g)].map(([, name]) => name as string).filter((name) => name !== 'company_id')

for (const op of operations) {
  test(`${op.id}: no key, an empty key, a made-up key and an unknown key are 401`, async () => {
    const { path } = await scene(op)
    const known = { ...(op.body && { body: sampleOf(op.body) }) }
    for (const headers of [{}, { 'x-api-key': '' }] as Record<string, string>[]) {
      const reply = await call(op.method, path(), { ...known, headers })
      assertProblem(reply, 401, 'API key not provided')
      assert.equal(reply.body.title, 'Unauthorized')
      assert.match(reply.headers['www-authenticate'] ?? '', /X-API-KEY/)
    }
    const unknown = await newDeveloper()
    await write(sql`DELETE FROM api_keys WHERE id = ${unknown.key_id}`)
    for (const key of ['nonsense', `${unknown.key.slice(0, -1)}_`, unknown.key]) {
      assertProblem(await call(op.method, path(), { ...known, key }), 401, 'Unauthorized API key')
    }
  })

  test(`${op.id}: answers as declared, with its headers`, async () => {
    const { send } = await scene(op)
    const reply = await send()
    const [status, schema] = op.reply
    assert.equal(reply.status, status, reply.text)
    assert.match(reply.headers['x-request-id'] ?? '', /^req_/)
    assert.equal(reply.headers['x-content-type-options'], 'nosniff')
    assert.equal(reply.headers['cache-control'], isVersioned(op) ? 'private, no-cache' : 'no-store')
    if (!schema) return assert.equal(reply.text, '')
    assert.ok(ajv.validate(closed(schema), reply.body), JSON.stringify(ajv.errors))
    if (isVersioned(op)) assert.match(reply.headers.etag ?? '', new RegExp(`^"${reply.body.version}-[\\w-]{16}"$`))
    if (status === 201 && 'id' in reply.body) {
      const found = await call('GET', reply.headers.location as string, { key: (await newDeveloper(true)).key })
      assert.ok(found.status === 200 || op.id === 'keys.rotate', `${reply.headers.location} answers ${found.status}`)
      // What was made up of what was given is what is there; a secret is shown once, and others may see more of a thing.
      if (isVersioned(op) && !op.secret && op.method === 'POST') assert.equal(found.text, reply.text)
    }
  })

  if (op.method !== 'GET') {
    test(`${op.id}: writes its event, in the name of who called`, async () => {
      const { send, happened, caller } = await scene(op)
      const reply = await send()
      if (op.computes) return assert.deepEqual(await happened(reply.headers['x-request-id'] as string), [], 'it writes nothing')
      assert.ok(op.emits, 'a write names its event')
      const events = await happened(reply.headers['x-request-id'] as string)
      if (op.id.endsWith('.restore')) return assert.deepEqual(events, [], 'it was live')
      assert.ok(eventsOf(op).includes(events[0]?.type ?? ''), JSON.stringify(events))
      for (const { developer_id } of events) assert.equal(developer_id, caller.id)
    })
  }

  if (inCompany(op)) {
    test(`${op.id}: a company that is foreign, unknown, malformed or archived looks the same: 403`, async () => {
      const { send, key } = await scene(op)
      const [foreign, archived] = [await newCompany(), await newCompany()]
      assert.equal((await call('DELETE', archived.base, { key: archived.key })).status, 204)
      const replies = [
        await send({}, { company_id: foreign.company_id }),
        await send({}, { company_id: randomUUID() }),
        await send({}, { company_id: 'nonsense' }),
        await send({}, { company_id: archived.company_id }),
      ]
      // Its own owner too, unless it is to bring it back.
      if (!op.needs.archived) replies.push(await send({ key: archived.key }, { company_id: archived.company_id }))
      for (const reply of replies) {
        assertProblem(reply, 403, 'No rights to access this resource')
        const { request_id, instance, ...same } = reply.body
        assert.deepEqual(same, { status: 403, title: 'Forbidden', detail: 'No rights to access this resource', code: 'forbidden' })
      }
      assert.ok(key)
    })

    test(`${op.id}: a lesser permission is 403, the needed one is not`, async () => {
      const { send, developer } = await scene(op)
      for (const permission of PERMISSIONS) {
        const { key } = await developer(permission)
        const enough = permits(permission, op.needs.key as 'USER')
        const reply = await send({ key })
        if (!enough) assertProblem(reply, 403, 'No rights to access this resource')
        else if (!op.needs.may) assert.ok(reply.status < 400, `${permission} got ${reply.text}`)
        if (op.method !== 'GET' && enough) break
      }
    })

    test(`${op.id}: an acting user who is unknown, malformed, archived or foreign is 404`, async () => {
      const { send, user, base, key } = await scene(op)
      const foreign = await newCompany()
      const archived = await user('ADMIN')
      assert.equal((await call('DELETE', `${base}/users/${archived}`, { key })).status, 204)
      for (const actor of [randomUUID(), 'nonsense', archived, await foreign.user('ADMIN')]) {
        const reply = isNested(op) ? await send({}, { user_id: actor }) : await send({ headers: { 'on-behalf-of': actor } })
        assertProblem(reply, 404, 'User not found')
      }
    })

    if (op.needs.role) {
      test(`${op.id}: an acting user of a lesser role is 403`, async () => {
        const { send, user, happened } = await scene(op)
        for (const role of ROLES) {
          const actor = await user(role)
          const reply = isNested(op) ? await send({}, { user_id: actor }) : await send({ headers: { 'on-behalf-of': actor } })
          const enough = ranks(role, op.needs.role as Role)
          if (!enough) assertProblem(reply, 403, 'No rights to access this resource')
          else assert.ok(reply.status < 400, reply.text)
          if (!enough) assert.deepEqual(await happened(reply.headers['x-request-id'] as string), [])
        }
      })
    }
  }

  if (op.needs.key === 'GLOBAL_ADMIN') {
    test(`${op.id}: is for global admins only`, async () => {
      const { send, key } = await scene(op)
      assertProblem(await send({ key }), 403, 'No rights to access this resource')
    })
  }

  for (const param of childParams(op)) {
    test(`${op.id}: a ${param} that is malformed, unknown or of another company is 404`, async () => {
      const { send } = await scene(op)
      const foreign = inCompany(op) && param !== 'developer_id' ? [(await newScene(op)).params[param] as string] : []
      const ids = ['nonsense', randomUUID(), `${randomUUID()}0`, '0', ...foreign]
      for (const id of ids) assertProblem(await send({}, { [param]: id }), 404, /^[A-Z][a-z ]+ not found$/)
    })
  }

  test(`${op.id}: whatever its path leads through is looked up by the pipeline`, () => {
    const last = op.path.lastIndexOf('{')
    for (const [, name = ''] of op.path.slice(0, last).matchAll(/{(campaign|book|chapter|character)_id}/g))
      assert.ok(
        op.within?.some((place) => place.name === name),
        `${name} is not in within`,
      )
  })

  for (const place of op.within?.filter((place) => !place.of && !isSubject(op, place)) ?? []) {
    test(`${op.id}: what belongs to another ${place.name} is 404`, async () => {
      const { send, make } = await scene(op)
      // Lists, creations and acts are about the place itself, whichever it is; and anybody can be made a member.
      if (!/}[^{]*{\w+}[^{]*$/.test(op.path.slice(op.path.indexOf(`{${place.name}_id}`))) || op.id === 'members.set') return
      assertProblem(await send({}, { [`${place.name}_id`]: await make(`${place.name}_id`) }), 404, /^[A-Z][a-z ]+ not found$/)
    })

    test(`${op.id}: under an archived ${place.name} it is 404, and nothing happens`, async () => {
      const { send, path, key, happened } = await scene(op)
      const parent = path().slice(0, path({ [`${place.name}_id`]: '*' }).indexOf('*') + 36)
      assert.equal((await call('DELETE', parent, { key })).status, 204)
      const reply = await send()
      if (op.id.endsWith('.restore')) assertProblem(reply, 409, `The ${place.name} this belongs to is archived: restore that first.`)
      else assertProblem(reply, 404, `${place.name[0]?.toUpperCase()}${place.name.slice(1)} not found`)
      assert.deepEqual(await happened(reply.headers['x-request-id'] as string), [])
    })
  }

  test(`${op.id}: a query parameter nobody named is 400`, async () => {
    const { ask, caller, body } = await scene(op)
    const reply = await call(op.method, ask('company_id=1&nonsense=2'), { key: caller.key, ...(body !== undefined && { body }) })
    assertProblem(reply, 400, 'Validation failed for one or more fields.')
    assert.deepEqual(reply.body.invalid_parameters.map(({ field }) => field).sort(), ['company_id', 'nonsense'])
  })

  if (takesBody(op)) {
    test(`${op.id}: a field nobody named is 400, company_id and id among them, and nothing is written`, async () => {
      const { send, body, happened } = await scene(op)
      const reply = await send({ body: { ...(body as object), company_id: randomUUID(), id: randomUUID(), version: 7, ünknown: null } })
      assertProblem(reply, 400, 'Validation failed for one or more fields.')
      assert.deepEqual(reply.body.invalid_parameters.map(({ field }) => field).sort(), ['company_id', 'id', 'version', 'ünknown'])
      assert.deepEqual(await happened(reply.headers['x-request-id'] as string), [])
    })

    test(`${op.id}: what is not a JSON object is 400 or 415`, async () => {
      const { send } = await scene(op)
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

    test(`${op.id}: an Idempotency-Key replays the reply and refuses another body`, async () => {
      const { send, happened, body } = await scene(op)
      const headers = { 'idempotency-key': randomUUID() }
      const first = await send({ headers })
      assert.ok(first.status < 300, first.text)
      assert.equal(first.headers['idempotent-replayed'], undefined)
      const again = await send({ headers: { 'idempotency-key': `"${headers['idempotency-key']}"` } })
      assert.equal(again.headers['idempotent-replayed'], 'true')
      for (const name of ['etag', 'location', 'content-type']) assert.equal(again.headers[name], first.headers[name])
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.deepEqual(await happened(again.headers['x-request-id'] as string), [])
      const other = await send({ headers, body: { ...(body as object), nonsense: 1 } })
      assertProblem(other, 409)
      assert.equal(
        other.body.detail,
        `Idempotency key '${headers['idempotency-key']}' was previously used with a different request body. Each unique request must use a unique idempotency key.`,
      )
    })

    test(`${op.id}: a refused request leaves its Idempotency-Key free`, async () => {
      const { send } = await scene(op)
      const headers = { 'idempotency-key': randomUUID() }
      assertProblem(await send({ headers, body: { nonsense: 1 } }), 400)
      assert.ok((await send({ headers })).status < 300)
    })
  }

  if (op.method === 'PATCH') {
    test(`${op.id}: an empty patch is 400, one that changes nothing keeps the version and writes no event`, async () => {
      const { send, happened } = await scene(op)
      assertProblem(await send({ body: {} }), 400)
      const first = await send({ headers: { 'content-type': 'application/merge-patch+json' } })
      const again = await send()
      assert.deepEqual([again.status, again.body.version], [200, first.body.version])
      assert.deepEqual(await happened(again.headers['x-request-id'] as string), [])
    })

    test(`${op.id}: null on a required field is 400`, async () => {
      assertProblem(await (await scene(op)).send({ body: { name: null } }), 400)
    })
  }

  if (op.method !== 'GET' && op.method !== 'POST') {
    test(`${op.id}: If-Match of another version is 412, one that is no ETag is 400, and neither changes anything`, async () => {
      const { send, happened } = await scene(op)
      for (const [tag, status] of [
        ['"99-abc"', 412],
        ['"nonsense"', 412],
        ['W/"98"', 412],
        ['1', 400],
        ['nonsense', 400],
      ] as const) {
        const refused = await send({ headers: { 'if-match': tag } })
        assertProblem(refused, status)
        assert.deepEqual(await happened(refused.headers['x-request-id'] as string), [])
      }
      assert.ok((await send({ headers: { 'if-match': '"7", "1-anything"' } })).status < 300)
    })
  }

  if (op.method === 'GET') {
    test(`${op.id}: HEAD answers as GET without a body`, async () => {
      const { ask, send, caller } = await scene(op)
      const [get, head] = [await send(), await call('HEAD', ask(), { key: caller.key })]
      assert.deepEqual([head.status, head.text], [200, ''])
      for (const name of ['etag', 'link', 'content-length', 'content-type']) assert.equal(head.headers[name], get.headers[name], name)
    })
    if (isVersioned(op)) {
      test(`${op.id}: If-None-Match is 304 while it is fresh`, async () => {
        const { send } = await scene(op)
        const { headers } = await send()
        const fresh = await send({ headers: { 'if-none-match': `"0-x", ${headers.etag}` } })
        assert.deepEqual([fresh.status, fresh.text, fresh.headers.etag], [304, '', headers.etag])
        assert.equal((await send({ headers: { 'if-none-match': '"0-x"' } })).status, 200)
      })
    }
  }

  if (isList(op)) {
    test(`${op.id}: pages as the specification says`, async () => {
      const { ask, caller } = await scene(op)
      const get = (query: string) => call('GET', ask(query), { key: caller.key })
      const { items, limit, offset, total, ...along } = (await get('')).body
      assert.deepEqual([limit, offset], [10, 0])
      assert.equal(items.length, Math.min(10, total))
      const none = await get('limit=0')
      assert.deepEqual(none.body, { items: [], limit: 0, offset: 0, total, ...along })
      assert.equal(none.headers.link, undefined)
      const beyond = await get('limit=5&offset=9007199254740991')
      assert.deepEqual(beyond.body, { items: [], limit: 5, offset: 9007199254740991, total, ...along })
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
    })

    test(`${op.id}: sorts as asked, in both directions`, async () => {
      const { ask, caller } = await scene(op)
      const sorts = (op.query as unknown as { properties: Record<string, { enum?: string[] }> }).properties.sort?.enum?.filter(
        (sort) => !sort.startsWith('-'),
      )
      for (const sort of sorts ?? []) {
        const [up, down] = [
          await call('GET', ask(`sort=${sort}&limit=100`), { key: caller.key }),
          await call('GET', ask(`sort=-${sort}&limit=100`), { key: caller.key }),
        ]
        const ids = (reply: Answer) => reply.body.items.map(({ id }) => id)
        if (up.body.total <= 100) assert.deepEqual(ids(down), ids(up).reverse())
      }
    })
  }
}

for (const restore of operations.filter(({ id, path }) => id.endsWith('.restore') && path.includes('}/'))) {
  const path = restore.path.replace(/\/{\w+}\/restore$/, '')
  const list = operations.find((op) => op.method === 'GET' && op.path === path)
  const remove = operations.find((op) => op.method === 'DELETE' && op.path === restore.path.replace(/\/restore$/, ''))
  if (!list || !remove || !inCompany(list)) continue
  test(`${list.id}: archived=true shows what the caller may restore, and nothing to one who may not`, async () => {
    const { send, path, key, developer, user } = await scene(remove)
    assert.equal((await send()).status, 204)
    const archived = (apiKey: string, actor = {}) => call('GET', `${path(actor).replace(/\/[^/]+$/, '')}?archived=true`, { key: apiKey })
    assert.equal((await archived(key)).body.total, 1)
    if (isNested(list)) assert.equal((await archived(key, { user_id: await user('PLAYER') })).body.total, 0)
    if (!permits('USER', restore.needs.key as 'USER')) assert.equal((await archived((await developer('USER')).key)).body.total, 0)
  })

  if (!restore.within?.some((place) => isSubject(restore, place))) continue
  test(`${restore.id}: what is archived is 404 to a user who may not restore it, as it is to GET`, async () => {
    const { send, path, key, user, happened } = await scene(remove)
    assert.equal((await send()).status, 204)
    const at = path({ user_id: await user('PLAYER') })
    const expected = await call('GET', at, { key })
    assertProblem(expected, 404, /^[A-Z][a-z]+ not found$/)
    for (const reply of [await call('DELETE', at, { key }), await call('POST', `${at}/restore`, { key })]) {
      assertProblem(reply, 404, expected.body.detail)
      assert.deepEqual(await happened(reply.headers['x-request-id'] as string), [])
    }
  })
}

test('every method a path does not take is 405 with Allow, after 401', async () => {
  const { key } = await newCompany()
  const paths = new Map<string, Set<string>>()
  for (const { path, method } of operations) paths.set(path, (paths.get(path) ?? new Set()).add(method))
  for (const [path, methods] of paths) {
    const url = `/api/v1${path.replaceAll(/{\w+}/g, randomUUID())}`
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (methods.has(method)) continue
      assertProblem(await call(method, url), 401)
      const refused = await call(method, url, { key })
      assertProblem(refused, 405)
      assert.deepEqual(
        refused.headers.allow
          ?.split(', ')
          .filter((name) => name !== 'HEAD')
          .sort(),
        [...methods].sort(),
      )
    }
  }
})

test('every operation is documented once, under its own id', () => {
  assert.equal(new Set(operations.map(({ id }) => id)).size, operations.length)
  assert.equal(new Set(operations.map(({ method, path }) => `${method} ${path}`)).size, operations.length)
})

test('resources never move between companies: no body, query or header changes a company_id', async () => {
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
