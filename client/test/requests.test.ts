import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../server/test/until.ts'
import { ApiError, ConnectionError, Guildhall, metaOf, SERVICE_VERSION, VERSION } from '../src/index.ts'
import { clientOf } from './pauses.ts'
import { answer, cut, cutInBody, problem, scripted } from './scripted-server.ts'

const created = answer(201, { id: 'c1', version: 1 }, { etag: '"1-abc"', 'x-request-id': 'req_9' })
const keysOf = (seen: { headers: Record<string, unknown> }[]) => new Set(seen.map(({ headers }) => headers['idempotency-key']))

for (const [what, failure] of Object.entries({
  'a connection that is cut before the reply': cut,
  'a connection that is cut within the reply': cutInBody,
  '429 with Retry-After': problem(429, 'too_many_requests', { 'retry-after': '0' }),
  '503 with Retry-After': problem(503, 'overloaded', { 'retry-after': '0' }),
  '503 outcome_unknown with a key': problem(503, 'outcome_unknown'),
  '409 with Retry-After': problem(409, 'idempotency_in_progress', { 'retry-after': '0' }),
  '502 with HTML': (reply: Parameters<typeof cut>[0]) => reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  '504 without a body': (reply: Parameters<typeof cut>[0]) => reply.writeHead(504).end(),
})) {
  test(`${what} is repeated, with the same Idempotency-Key and body`, async () => {
    const { gh, seen } = await scripted([failure, failure, created])
    const company = await gh.companies.create({ name: 'Blackwood' })
    assert.equal(company.id, 'c1')
    assert.equal(seen.length, 3)
    assert.equal(keysOf(seen).size, 1)
    assert.match(String(seen[0]?.headers['idempotency-key']), /^[0-9a-f-]{36}$/)
    assert.deepEqual(new Set(seen.map(({ body }) => body)), new Set(['{"name":"Blackwood"}']))
  })
}

for (const [what, failure, code] of [
  ['409 without Retry-After', problem(409, 'duplicate'), 'duplicate'],
  ['400', problem(400, 'validation_failed'), 'validation_failed'],
  ['500', problem(500, 'internal_error'), 'internal_error'],
  ['404 with Retry-After', problem(404, 'not_found', { 'retry-after': '0' }), 'not_found'],
  ['429 that asks for an hour', problem(429, 'too_many_requests', { 'retry-after': '3600' }), 'too_many_requests'],
] as const) {
  test(`${what} is an answer, and not repeated`, async () => {
    const { gh, seen } = await scripted([failure, created])
    await assert.rejects(gh.companies.create({ name: 'x' }), (error) => ApiError.is(error, code))
    assert.equal(seen.length, 1)
  })
}

test('outcome_unknown of a DELETE, which has no key, is not repeated', async () => {
  const { gh, seen } = await scripted([problem(503, 'outcome_unknown')])
  await assert.rejects(gh.companies.delete('c1'), (error) => ApiError.is(error, 'outcome_unknown') && error.status === 503)
  assert.equal(seen.length, 1)
})

test('a DELETE that is repeated after a cut connection may find that the first attempt has removed the resource', async () => {
  const { gh, seen } = await scripted([cut, problem(404, 'not_found')])
  assert.equal(await gh.companies.delete('c1'), undefined)
  assert.equal(seen.length, 2)

  const changed = await scripted([cut, problem(412, 'precondition_failed')])
  await assert.rejects(changed.gh.companies.delete('c1', { ifMatch: '"1"' }), (error) => {
    assert.ok(error instanceof ConnectionError && ApiError.is(error.cause, 'precondition_failed'))
    assert.match(error.message, /may have removed/)
    return true
  })
  assert.equal(changed.seen.length, 2)
})

test('not_found and precondition_failed are answers if no earlier attempt can have removed the resource', async () => {
  const isNotFound = (error: unknown) => ApiError.is(error, 'not_found')
  for (const steps of [[problem(404, 'not_found')], [problem(503, 'draining', { 'retry-after': '0' }), problem(404, 'not_found')]])
    await assert.rejects((await scripted(steps)).gh.companies.delete('c1'), isNotFound)
  await assert.rejects((await scripted([cut, problem(404, 'not_found')])).gh.companies.update('c1', { name: 'x' }), isNotFound)
  await assert.rejects((await scripted([cut, problem(404, 'unknown')])).gh.companies.delete('c1'), (error) => ApiError.is(error, 'unknown'))
  const stale = (await scripted([problem(412, 'precondition_failed')])).gh.companies.delete('c1', { ifMatch: '"1"' })
  await assert.rejects(stale, (error) => ApiError.is(error, 'precondition_failed'))

  let calls = 0
  const token = () => (++calls === 1 ? new Promise(() => {}) : 'glu_1')
  const unsent = await scripted([problem(404, 'not_found')], { apiKey: undefined, token } as object)
  await assert.rejects(unsent.gh.companies.delete('c1', { timeoutMs: 1000 }), isNotFound)
})

test('GET, DELETE and a POST that only computes have no Idempotency-Key, and are repeated', async () => {
  const { gh, seen } = await scripted([cut, answer(200, {}), cut, answer(200, {}), cut, (reply) => reply.writeHead(204).end()])
  await gh.me.get()
  await gh.company('c1').dice.odds({ notation: '2d6' })
  assert.equal(await gh.companies.delete('c1'), undefined)
  assert.deepEqual(
    seen.map(({ method, path }) => `${method} ${path}`),
    [
      ...Array(2).fill('GET /api/v1/me'),
      ...Array(2).fill('POST /api/v1/companies/c1/dice/odds'),
      ...Array(2).fill('DELETE /api/v1/companies/c1'),
    ],
  )
  assert.deepEqual([...keysOf(seen)], [undefined])
})

test('a POST that only computes, and has no body, takes options', async () => {
  const { gh, seen } = await scripted([cut, answer(200, {})])
  await gh.company('c1').webhooks.ping('w1', { onBehalfOf: 'u1' })
  assert.deepEqual(
    seen.map(({ method, path, headers, body }) => [method, path, headers['on-behalf-of'], headers['idempotency-key'], body]),
    Array(2).fill(['POST', '/api/v1/companies/c1/webhooks/w1/ping', 'u1', undefined, '']),
  )
})

test('a request is repeated twice by default, and as often as an option says', async () => {
  const broken = await scripted([cut])
  await assert.rejects(broken.gh.me.get(), ConnectionError)
  assert.equal(broken.seen.length, 3)
  await assert.rejects(broken.gh.me.get({ retries: 0 }), ConnectionError)
  assert.equal(broken.seen.length, 4)
  const gateway = await scripted([(reply) => reply.writeHead(502).end('<h1>Bad gateway</h1>')], { retries: 1 })
  await assert.rejects(gateway.gh.me.get(), (error) => ApiError.is(error) && error.status === 502 && error.code === 'unknown')
  assert.equal(gateway.seen.length, 2)
})

test('Retry-After is obeyed, in seconds and as a date', async () => {
  const values = [() => '1', () => new Date(Date.now() + 2000).toUTCString()]
  for (const value of values) {
    const { gh, seen } = await scripted([(reply, one) => problem(503, 'draining', { 'retry-after': value() })(reply, one), created])
    await gh.companies.create({ name: 'x' })
    const [first, second] = seen
    const waited = (second?.at ?? 0) - (first?.at ?? 0)
    assert.ok(waited >= 950, `${waited} ms`)
  }
})

test('a slow reply is given up after the time limit, and the request repeated', async () => {
  const { gh, seen } = await scripted([() => {}, created])
  const company = await gh.companies.create({ name: 'x' }, { timeoutMs: 1000 })
  assert.deepEqual([company.id, seen.length, keysOf(seen).size], ['c1', 2, 1])
  const slow = await scripted([() => {}])
  await assert.rejects(slow.gh.me.get({ timeoutMs: 50, retries: 0 }), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /50 ms/)
    return true
  })
})

test('a time limit of more than 24 days, or of Infinity, does not end at once', async (t) => {
  const limits: number[] = []
  t.mock.method(globalThis, 'setTimeout', (_: () => void, ms: number) => void limits.push(ms))
  const gh = clientOf(() => new Response('{}'))
  for (const timeoutMs of [Number.POSITIVE_INFINITY, 2 ** 31, 1e300]) await gh.me.get({ timeoutMs })
  assert.deepEqual(limits, Array(3).fill(2 ** 31 - 1))
})

test('a reply that is too long is given up, and is no connection that broke', async () => {
  const chunk = Buffer.alloc(1_000_000, ' ')
  const replyOf = (count: number, status: number) => {
    let sent = 0
    const pull = (controller: ReadableStreamDefaultController) => {
      sent++
      if (sent > count) controller.close()
      else controller.enqueue(sent === count ? Buffer.from('{}') : chunk)
    }
    let replies = 0
    const gh = clientOf(() => {
      replies++
      return new Response(new ReadableStream({ pull }), { status })
    })
    return { get: () => gh.me.get({ retries: 1 }), counts: () => [replies, sent] }
  }
  assert.deepEqual(await replyOf(32, 200).get(), {})
  const long = replyOf(1000, 200)
  await assert.rejects(long.get(), (error) => ApiError.is(error, 'unknown') && /too long/.test(error.message))
  const [replies, sent = 0] = long.counts()
  assert.ok(replies === 1 && sent < 40, `${long.counts()}`)
  const denied = replyOf(1000, 403)
  await assert.rejects(denied.get(), (error) => ApiError.is(error, 'unknown') && error.status === 403)
  assert.ok((denied.counts()[1] ?? 0) < 40, `${denied.counts()}`)
})

test('after an abort nothing is sent again, and the reason of the signal is the error', async (t) => {
  const aborted = new AbortController()
  aborted.abort(new Error('before'))
  const early = await scripted([created])
  await assert.rejects(early.gh.me.get({ signal: aborted.signal }), { message: 'before' })
  assert.equal(early.seen.length, 0)

  const waiting = new AbortController()
  const during = await scripted([() => waiting.abort(new Error('during')), created])
  await assert.rejects(during.gh.companies.create({ name: 'x' }, { signal: waiting.signal }), { message: 'during' })

  const pausing = new AbortController()
  const between = await scripted([problem(503, 'draining', { 'retry-after': '30' }), created])
  // The pause is a little longer than the time of Retry-After.
  const { mock } = t.mock.method(globalThis, 'setTimeout')
  const pauses = () => mock.calls.filter(({ arguments: [, ms] }) => Number(ms) > 30_000 && Number(ms) < 40_000)
  const rejected = assert.rejects(between.gh.me.get({ signal: pausing.signal }), { message: 'in the pause' })
  await until(() => pauses().length, 'the pause')
  pausing.abort(new Error('in the pause'))
  await rejected
  assert.deepEqual([during.seen.length, between.seen.length], [1, 1])
})

test('an error has everything that the problem says, and narrows by its code', async () => {
  const detail = {
    status: 400,
    code: 'validation_failed',
    title: 'Bad Request',
    detail: 'Validation failed for one or more fields.',
    instance: '/api/v1/companies',
    request_id: 'req_7',
    invalid_parameters: [{ field: 'name', message: 'is required' }],
    of_the_future: true,
  }
  const { gh } = await scripted([answer(400, detail)])
  const error: unknown = await gh.companies.create({ name: '' }).catch((caught) => caught)
  assert.ok(ApiError.is(error, 'duplicate', 'validation_failed'))
  const code: 'duplicate' | 'validation_failed' = error.code
  assert.equal(code, 'validation_failed')
  assert.match(error.message, /^400 validation_failed: Validation failed for one or more fields\. \w+ /)
  assert.deepEqual([error.requestId, error.faults, error.problem], ['req_7', detail.invalid_parameters, detail])
  assert.equal(ApiError.is(error, 'duplicate'), false)
  assert.equal(ApiError.is(new Error('another'), 'duplicate'), false)

  const denied = {
    ...detail,
    status: 403,
    code: 'forbidden',
    detail: 'No rights to access this resource',
    reason: 'role',
    why: 'the acting user needs the role STORYTELLER or higher',
    invalid_parameters: undefined,
    needs: { role: 'STORYTELLER' },
  }
  const forbidden: unknown = await (await scripted([answer(403, denied)])).gh.me.get().catch((caught) => caught)
  assert.ok(ApiError.is(forbidden))
  assert.deepEqual([forbidden.reason, forbidden.needs], ['role', { role: 'STORYTELLER' }])
  const explanation = 'No rights to access this resource: the acting user needs the role STORYTELLER or higher.'
  assert.deepEqual([forbidden.explanation, forbidden.message], [explanation, `403 forbidden: ${explanation}`])
  const taken: unknown = await (await scripted([answer(409, { ...detail, code: 'duplicate', id: 'u1' })])).gh.me
    .get()
    .catch((caught) => caught)
  assert.ok(ApiError.is(taken, 'duplicate'))
  assert.equal(taken.id, 'u1')
})

test('the head of a reply is found by its value', async () => {
  const { gh, seen } = await scripted([created, answer(200, { id: 'c1' }, { 'idempotent-replayed': 'true' })])
  const company = await gh.companies.create({ name: 'x' })
  assert.deepEqual(
    { ...metaOf(company), headers: undefined },
    {
      status: 201,
      etag: '"1-abc"',
      requestId: 'req_9',
      replayed: false,
      headers: undefined,
    },
  )
  assert.equal(metaOf({}), undefined)
  const again = await gh.companies.update('c1', { name: 'y' }, { ifMatch: company, idempotencyKey: 'mine' })
  assert.equal(metaOf(again)?.replayed, true)
  assert.equal(seen[1]?.headers['if-match'], '"1"')
  assert.equal(seen[1]?.headers['idempotency-key'], 'mine')
  await gh.companies.update('c1', { name: 'z' }, { ifMatch: '"1-abc"' })
  assert.equal(seen[2]?.headers['if-match'], '"1-abc"')
})

test('a request has the headers that its options name, and says where it comes from', async () => {
  const { gh, seen } = await scripted([answer(200, {})], { headers: { 'x-trace': 'all' } })
  await gh.company('c1').options.get({ onBehalfOf: 'u1', headers: { 'x-own': 'one' } })
  const { headers } = seen[0] as (typeof seen)[0]
  assert.deepEqual([headers['x-api-key'], headers['on-behalf-of'], headers['x-trace'], headers['x-own']], ['glh_test', 'u1', 'all', 'one'])
  assert.equal(headers['user-agent'], `guildhall-client/${VERSION}`)
})

test('a service that is older than the client needs is named once, at the first call', async () => {
  const [major = '', minor = ''] = SERVICE_VERSION.split('.')
  const cases: [version: string, isOlder: boolean][] = [
    ['0.0.99', true],
    [SERVICE_VERSION, false],
    // A comparison of texts would take it for an older one.
    [`${major}.1${'0'.repeat(minor.length)}.0`, false],
  ]
  for (const [version, isOlder] of cases) {
    const warnings: string[] = []
    const replies = [problem(404, 'not_found'), answer(200, {}, { 'guildhall-version': version })]
    const { gh, seen } = await scripted(replies, { onWarning: (text) => void warnings.push(text) })
    await assert.rejects(gh.me.get(), (error) => ApiError.is(error, 'not_found'))
    for (let i = 0; i < 2; i++) await gh.me.get()
    const expected = `Guildhall ${version} is older than ${SERVICE_VERSION}, which @guildhall/client ${VERSION} needs. Update it.`
    assert.deepEqual([seen.length, warnings], [3, isOlder ? [expected] : []], version)
  }
})

test('headers of one name are one, whatever their case is, and the credential of the client wins', async () => {
  const { gh, seen } = await scripted([answer(200, {})], { headers: { 'X-API-KEY': 'other', 'User-Agent': 'bot/1', ACCEPT: 'text/plain' } })
  await gh.me.get({ headers: { Accept: 'application/json' } })
  const { headers } = seen[0] as (typeof seen)[0]
  assert.deepEqual([headers['x-api-key'], headers['user-agent'], headers.accept], ['glh_test', 'bot/1', 'application/json'])
})

test('what cannot be sent is an error at once, and not repeated', async () => {
  let sent = 0
  const { gh } = await scripted([answer(200, {})], {
    fetch: (...args) => {
      sent++
      return fetch(...args)
    },
  })
  await assert.rejects(gh.me.get({ headers: { 'x-trace': 'a\nb' } }), { name: 'TypeError', message: /x-trace/ })
  await assert.rejects(gh.me.get({ headers: { 'x trace': 'a' } }), { name: 'TypeError', message: /x trace/ })
  assert.equal(sent, 0)
  await assert.rejects((await scripted([], { baseUrl: '' })).gh.me.get(), { name: 'TypeError', message: /baseUrl/ })
})

test('a complete reply that is no JSON is not repeated', async () => {
  const { gh, seen } = await scripted([(reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>')])
  await assert.rejects(gh.companies.create({ name: 'x' }), (error) => ApiError.is(error, 'unknown') && error.status === 200)
  assert.equal(seen.length, 1)
})

test('the address of the service may end with the prefix of the API, or not', async () => {
  const { baseUrl, seen } = await scripted([answer(200, {})])
  for (const suffix of ['', '/', '/api/v1', '/api/v1/']) await new Guildhall({ baseUrl: baseUrl + suffix, apiKey: 'k' }).me.get()
  assert.deepEqual([...new Set(seen.map(({ path }) => path))], ['/api/v1/me'])
})

test('ids are encoded, and one that would lead elsewhere is never sent', async () => {
  const { gh, seen } = await scripted([answer(200, {})])
  await gh.company('c1').users.link('discord:a/b?c#d%', { name: 'x' })
  assert.equal(seen[0]?.path, '/api/v1/companies/c1/users/by-external-id/discord%3Aa%2Fb%3Fc%23d%25')
  // A * is the placeholder of an id in the templates of paths.
  await gh.company('a*b').users.get('u*')
  assert.equal(seen[1]?.path, '/api/v1/companies/a%2Ab/users/u%2A')
  for (const id of ['', '.', '..', undefined, null, 7]) {
    assert.throws(() => gh.companies.delete(id as string), TypeError)
    assert.throws(() => gh.company(id as string), TypeError)
  }
  assert.equal(seen.length, 2)
})

test('a redirect is not followed, so that the key stays where it is', async () => {
  const elsewhere = await scripted([answer(200, { stolen: true })])
  const { gh } = await scripted([(reply) => reply.writeHead(308, { location: `${elsewhere.baseUrl}/api/v1/me` }).end()])
  await assert.rejects(gh.me.get(), (error) => ApiError.is(error, 'unknown') && error.status === 308)
  assert.equal(elsewhere.seen.length, 0)
})

test('lists in a query are separated by commas, and values that are not given are left out', async () => {
  const { gh, seen } = await scripted([answer(200, {})])
  await gh
    .company('c')
    .as('u')
    .campaign('k')
    .characters.get('x', { include: ['inventory', 'notes'] })
  await gh.company('c').users.list({ limit: 5, role: undefined, q: 'a b&c' })
  assert.deepEqual(
    seen.map(({ path }) => path.slice(path.indexOf('?'))),
    ['?include=inventory%2Cnotes', '?limit=5&q=a+b%26c'],
  )
})

test('a path that the service gave is read as it is', async () => {
  const { gh, seen } = await scripted([cut, answer(200, { id: 'n1', title: 'The tide tables' })])
  const note = await gh.read<{ title: string }>('/api/v1/companies/c1/users/u1/notes/n1', { onBehalfOf: 'u2' })
  assert.equal(note.title, 'The tide tables')
  assert.deepEqual(
    seen.map(({ method, path, headers }) => [method, path, headers['x-api-key'], headers['on-behalf-of'], headers['idempotency-key']]),
    Array(2).fill(['GET', '/api/v1/companies/c1/users/u1/notes/n1', 'glh_test', 'u2', undefined]),
  )
  await gh.read('/api/v1/companies/..c/search?q=/../')
  assert.equal(seen[2]?.path, '/api/v1/companies/..c/search?q=/../')
  for (const path of ['', '/me', '/api/v2/me', '/api/v1', 'https://elsewhere.example/api/v1/me'])
    await assert.rejects(gh.read(path), TypeError)
  assert.equal(seen.length, 3)
})

test('a path that leads upward is never sent', async () => {
  const { gh, seen } = await scripted([answer(200, {})])
  const tails = [
    '..',
    '../metrics',
    './me',
    'me/..',
    '..?a=b',
    '..#a',
    '%2e%2E/metrics',
    '.%2e',
    'a%2F..%2fmetrics',
    'a\\..\\b',
    '.\t./a',
    '..\n',
    '.. ',
    '..\0',
  ]
  for (const tail of tails) await assert.rejects(gh.read(`/api/v1/${tail}`), TypeError, JSON.stringify(tail))
  assert.equal(seen.length, 0)
})
