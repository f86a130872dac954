import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@guildhall/rules/type'
import { operation } from '../src/http/operation.ts'
import { below, ROOT, USER } from '../src/http/path.ts'
import { operations } from '../src/resources/index.ts'
import { assertProblem, call, clock, newApp, newCompany, newDeveloper } from './harness.ts'
import { holdRow, newWaitingApp } from './locks.ts'

test('accepts an empty body of any content type if no body is required', async () => {
  const { base, key, user } = await newCompany()
  const id = await user('PLAYER')
  for (const headers of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'nonsense' },
    { 'content-type': '' },
  ] as Record<string, string>[]) {
    assert.equal((await call('POST', `${base}/users/${id}/restore`, { key, headers })).status, 200)
  }
})

test('answers 404 to unknown paths, and 401 without a key below /api/v1', async () => {
  const { key } = await newDeveloper()
  for (const path of ['/api/v1/', '/api/v1/nonsense', '/api/v1/nonsense/', '/api/v1//companies', '/api/v1/developers/me/']) {
    assertProblem(await call('GET', path), 401)
    assertProblem(await call('GET', path, { key }), 404)
  }
  for (const path of ['/api/v2', '/api/v2/companies', '/nonsense', '/api', '/api/v10']) assertProblem(await call('GET', path), 404)
  assertProblem(await call('POST', '/api/v1/nonsense', { key, body: '{', headers: { 'content-type': 'application/json' } }), 404)
})

test('answers 404 to a trailing slash and names the path without it', async () => {
  const { base, key, user, company_id } = await newCompany()
  const player = `${base}/users/${await user('PLAYER')}`
  for (const [method, path] of [
    ['GET', '/api/v1'],
    ['GET', '/api/v1/companies'],
    ['POST', '/api/v1/companies'],
    ['OPTIONS', '/api/v1/companies'],
    ['GET', '/api/v1/developers/me'],
    ['GET', base],
    ['DELETE', base],
    ['GET', `${base}/users`],
    ['PATCH', player],
    ['GET', `${player}/campaigns`],
    ['GET', '/api/v1/companies/nonsense'],
  ] as const) {
    assertProblem(await call(method, `${path}/`), 401)
    for (const slashes of ['/', '//', '/?limit=1'])
      assertProblem(
        await call(method, `${path}${slashes}`, { key }),
        404,
        `There is nothing at this path. Use ${path} without a trailing slash.`,
      )
  }
  for (const path of ['/health/live', '/openapi.json'])
    assertProblem(await call('GET', `${path}/`), 404, `There is nothing at this path. Use ${path} without a trailing slash.`)
  for (const path of ['/api/v1/nonsense/', `${base}/nonsense/`])
    assertProblem(await call('GET', path, { key }), 404, 'There is nothing at this path. See /docs for all paths.')
  assert.equal((await call('GET', base, { key })).body.id, company_id, 'nothing was deleted')
})

test('a path that does not exist, and a time in another format, say what to send instead', async () => {
  const { base, key, user } = await newCompany()
  const campaign = '/api/v1/companies/{company_id}/users/{user_id}/campaigns/{campaign_id}'
  for (const [path, hint] of [
    ['/companies', 'Use /api/v1/companies.'],
    [`${base.replace('/v1', '')}/users`, `Use ${base}/users.`],
    [`${base}/campaigns/${await user('PLAYER')}`, `Did you mean ${campaign}?`],
    ['/api/v1/characters/1', `Did you mean ${campaign}/characters/{character_id}?`],
    ['/api/v1/nonsense', 'See /docs for all paths.'],
  ] as const)
    assertProblem(await call('GET', path, { key }), 404, `There is nothing at this path. ${hint}`)
  assertProblem(await call('GET', '/api/v1/characters/1'), 401)
  const message = async (from: string) =>
    (await call('GET', `${base}/audit-logs?from=${from}`, { key })).body.invalid_parameters.map(({ message }) => message)
  assert.deepEqual(await message('2026-11-15'), ['must be a time such as 2026-11-15T18:30:00.000Z'])
  assert.deepEqual(await message('2026-11-15T00:00:00+01:00'), [
    'must be a time such as 2026-11-15T18:30:00.000Z. Write + as %2B in a query',
  ])
  assert.equal((await call('GET', `${base}/audit-logs?from=2026-11-15T00:00:00%2B01:00`, { key })).status, 200)
})

test('checks the key, path, company, acting user, permission, Accept, content type, body, resource and rules in this order', async () => {
  const company = await newCompany()
  const user = await company.developer('USER')
  const invalidJson = { body: '{', headers: { 'content-type': 'application/json' } }
  const plainText = { body: 'x', headers: { 'content-type': 'text/plain' } }
  const path = `${company.base}/developers/${user.id}`
  assertProblem(await call('PUT', path, invalidJson), 401)
  assertProblem(await call('PUT', '/api/v1/nonsense', { ...invalidJson, key: company.key }), 404)
  assertProblem(await call('PUT', path.replace(company.company_id, 'x'), { ...invalidJson, key: company.key }), 403)
  assertProblem(await call('PUT', path, { key: user.key, body: {}, headers: { 'on-behalf-of': 'nobody' } }), 404, 'User not found')
  assertProblem(await call('PUT', path, { ...invalidJson, key: user.key }), 403)
  const html = { body: 'x', headers: { 'content-type': 'text/plain', accept: 'text/html' } }
  assertProblem(await call('PUT', path, html), 401)
  assertProblem(await call('PUT', '/api/v1/nonsense', { ...html, key: company.key }), 404)
  assertProblem(await call('POST', path, { ...html, key: company.key }), 405)
  assertProblem(await call('PUT', path, { ...html, key: user.key }), 403)
  assertProblem(await call('PUT', path, { ...html, key: company.key }), 406)
  assertProblem(await call('GET', `${company.base}/users?nonsense=1`, { headers: { accept: 'text/html' }, key: company.key }), 406)
  assertProblem(await call('PUT', path, { ...plainText, key: company.key }), 415)
  assertProblem(await call('PUT', path, { ...invalidJson, key: company.key }), 400)
  const missing = path.replace(user.id, '00000000-0000-7000-8000-000000000000')
  assertProblem(await call('PUT', missing, { key: company.key, body: { permission: 'NONE' } }), 400)
  assertProblem(await call('PUT', missing, { key: company.key, body: { permission: 'USER' }, headers: { 'if-match': '"9"' } }), 404)
  const lastOwner = `${company.base}/developers/${company.owner.id}`
  assertProblem(await call('PUT', lastOwner, { key: company.key, body: { permission: 'USER' }, headers: { 'if-match': '"9"' } }), 409)
})

test('names every invalid field of a request, at most fifty', async () => {
  const { base, key } = await newCompany()
  const reply = await call('POST', `${base}/users?nonsense=1`, {
    key,
    body: { name: '   ', role: 'KING', email: 'no', external_id: 7, extra: 1 },
  })
  assertProblem(reply, 400)
  assert.deepEqual(reply.body.invalid_parameters.map(({ field }) => field).sort(), [
    'email',
    'external_id',
    'extra',
    'name',
    'nonsense',
    'role',
  ])
  assert.match(JSON.stringify(reply.body.invalid_parameters), /must be one of PLAYER, STORYTELLER, ADMIN/)
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`field_${i}`, i]))
  assert.equal((await call('POST', `${base}/users`, { key, body: many })).body.invalid_parameters.length, 50)
})

test('answers 400 to common names of other APIs for query parameters, and suggests the accepted parameter if there is one', async () => {
  const { base, key, user } = await newCompany()
  const player = `${base}/users/${await user('PLAYER')}`
  const message = async (path: string, name: string) => {
    const reply = await call('GET', `${path}?${name}=1`, { key })
    assertProblem(reply, 400)
    assert.deepEqual(
      reply.body.invalid_parameters.map(({ field }) => field),
      [name],
    )
    return reply.body.invalid_parameters[0]?.message
  }
  const unknown = 'is not an accepted parameter'
  for (const [names, hint] of [
    ['page', 'Use limit and offset.'],
    ['cursor next_cursor nextCursor starting_after', 'Use after.'],
    ['per_page perPage page_size pageSize size count', 'Use limit.'],
    ['start skip', 'Use offset.'],
    ['order order_by orderBy sort_by sortBy', 'Use sort.'],
    ['search query', 'Use q.'],
    ['filter', 'Use role or external_id.'],
  ] as const)
    for (const name of names.split(' ')) assert.equal(await message(`${base}/users`, name), `${unknown}. ${hint}`)
  for (const name of ['nonsense', 'constructor', '__proto__', 'Page-Size', 'limits'])
    assert.equal(await message(`${base}/users`, name), unknown)
  // A list without q and filters, then an operation that is not a list.
  assert.equal(await message('/api/v1/developers/me/keys', 'search'), unknown)
  assert.equal(await message('/api/v1/developers/me/keys', 'filter'), unknown)
  assert.equal(await message('/api/v1/developers/me/keys', 'page'), `${unknown}. Use limit and offset.`)
  for (const name of ['page', 'sort_by', 'search', 'filter']) assert.equal(await message(player, name), unknown)
  const body = await call('POST', `${base}/users`, { key, body: { name: 'x', role: 'PLAYER', page: 1 } })
  assert.deepEqual(body.body.invalid_parameters, [{ field: 'page', message: 'is not an accepted field' }])
})

test('answers 400 to an If-Match that is not an ETag, a list of ETags or *, and shows the format', async () => {
  const { base, key, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER')}`
  const patch = (tag: string, body: unknown = { name: 'Matched' }) => call('PATCH', path, { key, body, headers: { 'if-match': tag } })
  const error = {
    field: 'If-Match',
    message: 'must be the ETag with its double quotes, such as "3-Zm9vYmFyYmF6cXV4", a list of them, or *',
  }
  for (const bad of ['1', '1-abc', 'nonsense', "'1'", '"1', '1"', '"1" "2"', '"1", 2', 'w/"1"', 'W/1', '**', '*, "1"', ',', '']) {
    const reply = await patch(bad)
    assertProblem(reply, 400, 'Validation failed for one or more fields.')
    assert.deepEqual(reply.body.invalid_parameters, [error], bad)
  }
  assert.deepEqual((await patch('1', { nonsense: 1 })).body.invalid_parameters.map(({ field }) => field).sort(), ['If-Match', 'nonsense'])
  for (const other of ['"2"', 'W/"2"', '"nonsense"', '""', '"2","3"', '"2-a,b"']) assertProblem(await patch(other), 412)
  for (const good of ['"1"', 'W/"1"', '"1-anything"', '"7", "1"', '"7",W/"1"', ' "1" ', '"7", , "1",', '*']) {
    assert.equal((await patch(good, { name: 'A player' })).status, 200, good)
  }
  const created = await call('POST', `${base}/users`, { key, body: { name: 'x', role: 'PLAYER' }, headers: { 'if-match': '1' } })
  assert.equal(created.status, 201, 'POST and GET ignore If-Match')
  assert.equal((await call('GET', path, { key, headers: { 'if-match': '1' } })).status, 200)
})

test('trims names, then counts their characters', async () => {
  const { base, key } = await newCompany()
  const post = (name: unknown) => call('POST', `${base}/users`, { key, body: { name, role: 'PLAYER' } })
  assert.equal((await post('  Zoë \n')).body.name, 'Zoë')
  assert.equal((await post('🎲'.repeat(100))).status, 201)
  assert.equal((await post(`  ${'x'.repeat(100)}  `)).status, 201)
  for (const bad of ['🎲'.repeat(101), 'x'.repeat(101), '', '  ', null, 7, ['x'], {}]) assertProblem(await post(bad), 400)
})

test('Link headers keep the whole query, encoded', async () => {
  const { base, key } = await newCompany()
  const { headers } = await call('GET', `${base}/users?limit=1&q=who?&sort=name`, { key })
  assert.match(headers.link ?? '', /q=who%3F&sort=name/)
})

test('accepts ids of any length and case', async () => {
  const { base, key, user } = await newCompany()
  const long = 'x'.repeat(9000)
  assertProblem(await call('GET', `/api/v1/companies/${long}`), 401)
  assertProblem(await call('GET', `/api/v1/companies/${long}`, { key }), 403)
  assertProblem(await call('GET', `${base}/users/${long}`, { key }), 404)
  const id = await user('PLAYER')
  assert.equal(
    (await call('GET', `${base.toUpperCase().replace('/API/V1/COMPANIES', '/api/v1/companies')}/users/${id.toUpperCase()}`, { key })).body
      .id,
    id,
  )
})

test('answers OPTIONS with 204, and other methods with 405, with Allow on public pages, without a key', async () => {
  for (const path of ['/', '/api/v1', '/health/live', '/health/ready', '/openapi.json', '/docs']) {
    const refused = await call('POST', path)
    assertProblem(refused, 405)
    assert.equal(refused.headers.allow, 'GET, HEAD, OPTIONS')
    const options = await call('OPTIONS', path)
    assert.deepEqual([options.status, options.headers.allow, options.text], [204, 'GET, HEAD, OPTIONS', ''])
  }
})

test('answers 400 to a body that is not UTF-8', async () => {
  const { key } = await newDeveloper()
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  assertProblem(await call('POST', '/api/v1/companies', { key, body, headers: { 'content-type': 'application/json' } }), 400)
})

test('rejects __proto__ as an unknown field', async () => {
  const { key } = await newDeveloper()
  const reply = await call('POST', '/api/v1/companies', {
    key,
    body: '{"name":"x","__proto__":{"is_global_admin":true}}',
    headers: { 'content-type': 'application/json' },
  })
  assertProblem(reply, 400)
})

test('ignores the request id of the client', async () => {
  const { key } = await newDeveloper()
  const reply = await call('GET', '/api/v1/developers/me', { key, headers: { 'x-request-id': 'req_mine' } })
  assert.notEqual(reply.headers['x-request-id'], 'req_mine')
  const problem = await call('GET', '/api/v1/companies?limit=x', { key })
  assert.equal(problem.body.request_id, problem.headers['x-request-id'])
  assert.equal(problem.body.instance, '/api/v1/companies')
})

test('rejects an On-Behalf-Of that differs from the user of the path', async () => {
  const nested = operation({
    id: 'test.nested',
    method: 'GET',
    path: below(USER, 'things'),
    needs: { key: 'USER', role: 'STORYTELLER' },
    summary: 'Returns the acting user',
    reply: [200, Type.Object({ id: Type.String() })],
    run: async ({ actor }) => ({ id: actor.id }),
  })
  const app = await newApp({}, [...operations, nested])
  const { base, key, user } = await newCompany()
  const [player, storyteller] = [await user('PLAYER'), await user('STORYTELLER')]
  const path = (id: string) => `${base}/users/${id}/things`
  assert.equal((await call('GET', path(storyteller), { key, on: app })).body.id, storyteller)
  assert.equal(
    (await call('GET', path(storyteller.toUpperCase()), { key, on: app, headers: { 'on-behalf-of': storyteller } })).body.id,
    storyteller,
  )
  assertProblem(await call('GET', path(storyteller), { key, on: app, headers: { 'on-behalf-of': player } }), 400)
  assertProblem(await call('GET', path(player), { key, on: app }), 403)
  assertProblem(await call('GET', path('nonsense'), { key, on: app }), 404, 'User not found')
  const foreign = await newCompany()
  assertProblem(await call('GET', path(await foreign.user('ADMIN')), { key, on: app }), 404, 'User not found')
})

test('rejects a repeated On-Behalf-Of wherever a user may act', async () => {
  const { base, key, user, developer } = await newCompany()
  const [player, admin] = [await user('PLAYER'), await user('ADMIN')]
  const userKey = (await developer('USER')).key
  const headers = (...ids: string[]) => ({ 'on-behalf-of': ids as never })
  for (const [path, ids] of [
    [`${base}/users`, [player, admin]],
    [`${base}/users`, [player, player]],
    [`${base}/audit-logs`, [admin, admin]],
    [`${base}/users/${player}/campaigns`, [player, player]],
    [`${base}/users/${player}/campaigns`, [admin, player]],
  ] as const) {
    // The second time, the caller is recalled.
    for (let i = 0; i < 2; i++) {
      assert.equal((await call('GET', path, { key })).status, 200)
      const reply = await call('GET', path, { key, headers: headers(...ids) })
      assertProblem(reply, 400)
      assert.deepEqual(reply.body.invalid_parameters, [{ field: 'On-Behalf-Of', message: 'must not be sent more than once' }])
    }
  }
  assertProblem(await call('POST', `${base}/users`, { key, headers: headers(player, admin), body: { name: 'x', role: 'ADMIN' } }), 400)
  assertProblem(await call('GET', `${base}/audit-logs`, { key: userKey, headers: headers(admin, admin) }), 403)
  assertProblem(await call('GET', `${base}/users`, { headers: headers(player, admin) }), 401)
  assert.equal(
    (await call('GET', '/api/v1/companies', { key, headers: headers(player, admin) })).status,
    200,
    'no user acts outside a company',
  )
})

test('a deprecated operation announces its end, and answers 410 afterwards', async () => {
  const [since, sunset] = [new Date('2026-01-01T00:00:00Z'), new Date(Date.now() + 86_400_000)]
  const old = operation({
    id: 'test.old',
    method: 'GET',
    path: below(ROOT, 'old'),
    needs: { key: 'KEY' },
    summary: 'Old',
    deprecated: { since, sunset },
    reply: [200, Type.Object({})],
    run: async () => ({}),
  })
  const app = await newApp({}, [...operations, old])
  const { key } = await newDeveloper()
  const reply = await call('GET', '/api/v1/old', { key, on: app })
  assert.deepEqual([reply.status, reply.headers.deprecation, reply.headers.sunset], [200, '@1767225600', sunset.toUTCString()])
  try {
    clock.ahead = 2 * 86_400_000
    assertProblem(await call('GET', '/api/v1/old', { key, on: app }), 410)
  } finally {
    clock.ahead = 0
  }
})

test('answers 503 with Retry-After if the database is busy, and changes nothing', async () => {
  const { base, key, user, company_id } = await newCompany()
  const id = await user('PLAYER')
  const release = await holdRow('users', company_id, id)
  const { app: on } = await newWaitingApp(200)
  const reply = await call('PATCH', `${base}/users/${id}`, { key, body: { name: 'Too late' }, on })
  assertProblem(reply, 503)
  assert.deepEqual([reply.body.code, reply.headers['retry-after']], ['database_busy', '1'])
  await release()
  assert.equal((await call('GET', `${base}/users/${id}`, { key })).body.version, 1)
})

test('answers 500 to an internal error without details', async () => {
  const broken = operation({
    id: 'test.broken',
    method: 'GET',
    path: below(ROOT, 'broken'),
    needs: { key: 'KEY' },
    summary: 'Broken',
    reply: [200, Type.Object({})],
    run: async () => {
      throw new Error('secret details')
    },
  })
  const reply = await call('GET', '/api/v1/broken', { key: (await newDeveloper()).key, on: await newApp({}, [...operations, broken]) })
  assertProblem(reply, 500)
  assert.equal(reply.text.includes('secret'), false)
})

test('CORS is off unless CORS_ORIGINS is set', async () => {
  const { key } = await newDeveloper()
  const headers = { origin: 'https://play.example', 'access-control-request-method': 'POST' }
  const withoutCors = await call('OPTIONS', '/api/v1/companies', { key, headers })
  assert.deepEqual([withoutCors.status, withoutCors.headers.allow], [204, 'GET, HEAD, POST, OPTIONS'])
  const named = Object.keys(withoutCors.headers).filter((name) => name.startsWith('access-control-'))
  assert.deepEqual(named, [])
  assert.equal((await call('GET', '/api/v1/companies', { key, headers })).headers['access-control-allow-origin'], undefined)
  const app = await newApp({ CORS_ORIGINS: 'https://play.example, https://other.example' })
  const preflight = await call('OPTIONS', '/api/v1/companies', { headers, on: app })
  assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, 'https://play.example'])
  assert.match(preflight.headers['access-control-allow-methods'] ?? '', /PUT.*PATCH.*DELETE/)
  assert.equal((await call('OPTIONS', '/api/v1/companies', { key, headers: { origin: 'https://play.example' }, on: app })).status, 204)
  const listed = await call('GET', '/api/v1/companies', { key, headers, on: app })
  assert.match(listed.headers['access-control-expose-headers'] ?? '', /ETag/)
  assert.equal(
    (await call('GET', '/api/v1/companies', { key, headers: { origin: 'https://evil.example' }, on: app })).headers[
      'access-control-allow-origin'
    ],
    undefined,
  )
})

test('public pages need no key', async () => {
  const greeting = await call('GET', '/')
  assert.deepEqual([greeting.status, greeting.body.name], [200, 'Guildhall'])
  for (const path of Object.values(greeting.body.links as object))
    assert.ok((await call('GET', path)).status < 400, `the link to ${path} is broken`)
  const api = await call('GET', '/api/v1')
  assert.deepEqual([api.status, api.body.name, api.body.version], [200, 'Guildhall', greeting.body.version])
  assert.deepEqual((await call('GET', '/api/v1?key=none', { headers: { 'x-api-key': 'nonsense' } })).body, api.body)
  const { key } = await newDeveloper()
  for (const path of Object.values(api.body.links as object))
    assert.ok((await call('GET', path, { key })).status < 400, `the link to ${path} is broken`)
  assert.equal((await call('GET', '/health/live')).status, 200)
  assert.equal((await call('GET', '/health/ready')).status, 200)
  assert.equal((await call('GET', '/openapi.json')).body.openapi, '3.1.0')
  assert.match((await call('GET', '/docs')).headers['content-security-policy'] ?? '', /script-src 'nonce-/)
})

test('a draining process is not ready and rejects new requests', async () => {
  const app = await newApp()
  app.drain.draining = true
  assertProblem(await call('GET', '/health/ready', { on: app }), 503)
  assert.equal((await call('GET', '/health/live', { on: app })).status, 200)
  const refused = await call('GET', '/api/v1/companies', { key: (await newDeveloper()).key, on: app })
  assertProblem(refused, 503)
  assert.deepEqual([refused.headers['retry-after'], refused.headers.connection], ['1', 'close'])
})

test('every response has headers that keep browsers from rendering, framing or caching it', async () => {
  const { key } = await newDeveloper()
  const answers = [
    await call('GET', '/'),
    await call('GET', '/nonsense'),
    await call('GET', '/api/v1/companies'),
    await call('GET', '/api/v1/companies', { key }),
    await call('POST', '/api/v1/companies', { key, body: { name: 'Headers' } }),
    await call('POST', '/api/v1/companies', { key, body: '{', headers: { 'content-type': 'application/json' } }),
    await call('DELETE', '/api/v1/companies', { key }),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 404, 401, 200, 201, 400, 405],
  )
  for (const { headers } of answers) {
    assert.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'")
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['x-frame-options'], 'DENY')
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.match(headers['strict-transport-security'] ?? '', /^max-age=31536000/)
    assert.match(headers['cache-control'] ?? '', /^(no-store|private, no-cache)$/)
    assert.equal(headers['x-powered-by'] ?? headers.server, undefined)
  }
})
