import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertProblem, call, newCompany, write } from '../../../test/harness.ts'
import { recordedApp as on, statementsOf } from '../../../test/recorded.ts'
import { sql } from '../../db/sql.ts'

test('a client links its users and finds them again', async () => {
  const { base, company_id, key } = await newCompany()
  const made = await call('POST', `${base}/users`, { key, body: { name: 'Mina Harker', role: 'PLAYER', external_id: 'discord:1' } })
  assert.equal(made.status, 201)
  assert.deepEqual(
    { ...made.body, id: '', date_created: '', date_modified: '' },
    {
      id: '',
      company_id,
      name: 'Mina Harker',
      role: 'PLAYER',
      email: null,
      external_id: 'discord:1',
      metadata: {},
      date_created: '',
      date_modified: '',
      version: 1,
      date_archived: null,
    },
  )
  assert.equal(made.headers.location, `${base}/users/${made.body.id}`)
  assert.deepEqual((await call('GET', made.headers.location as string, { key })).body, made.body)
  const found = (await call('GET', `${base}/users?external_id=discord:1`, { key })).body.items
  assert.deepEqual(found, [{ ...made.body, truncated: false }])
  const taken = await call('POST', `${base}/users`, { key, body: { name: 'Other', role: 'PLAYER', external_id: 'discord:1' } })
  assertProblem(taken, 409, /Another user of this company has this external_id/)
  assert.equal(taken.body.id, made.body.id)
})

test('lists ignore case and accents, filter, sort, and page by offset', async () => {
  const { base, key, user } = await newCompany()
  for (const name of ['Zoë', 'ábel', 'Abel_2', '100%', 'Mina']) await user('PLAYER', name)
  await user('ADMIN', 'zoe admin')
  const names = async (query: string) => (await call('GET', `${base}/users?${query}`, { key })).body.items.map(({ name }) => name)
  assert.deepEqual(await names('q=ZOE'), ['Zoë', 'zoe admin'])
  assert.deepEqual(await names('q=%C3%A1BEL'), ['ábel', 'Abel_2'])
  assert.deepEqual(await names('q=el_2'), [], 'too short for the index, so it matches only the beginning of a name')
  for (const beginning of ['ab', 'AB', '%C3%A1']) assert.deepEqual(await names(`q=${beginning}`), ['ábel', 'Abel_2'], beginning)
  assert.deepEqual(await names('q=ab&sort=-name&limit=1'), ['Abel_2'])
  assert.deepEqual(await names('q=100%25'), ['100%'])
  assert.deepEqual(await names('q=bel_'), ['Abel_2'])
  for (const none of ['%25', '_', '%5C', 'bel%25', '%CC%81']) assert.deepEqual(await names(`q=${none}`), [], none)
  assert.deepEqual(await names('role=ADMIN'), ['zoe admin'])
  assert.deepEqual(await names('sort=name'), ['100%', 'ábel', 'Abel_2', 'Mina', 'Zoë', 'zoe admin'])
  assert.deepEqual(await names('sort=-name&limit=2'), ['zoe admin', 'Zoë'])
  assert.deepEqual(await names('sort=-date_created&limit=1'), ['zoe admin'])
  const walk: string[] = []
  for (let offset = 0; offset < 6; offset += 2) {
    const page = await call('GET', `${base}/users?limit=2&offset=${offset}`, { key })
    assert.equal(page.body.total, 6)
    walk.push(...page.body.items.map(({ name }) => name))
  }
  assert.deepEqual(walk, ['Zoë', 'ábel', 'Abel_2', '100%', 'Mina', 'zoe admin'])
  const { link } = (await call('GET', `${base}/users?limit=2&offset=2&role=PLAYER`, { key })).headers
  assert.equal(
    link,
    [
      [0, 'first'],
      [0, 'prev'],
      [4, 'next'],
      [4, 'last'],
    ]
      .map(([offset, rel]) => `<${base}/users?limit=2&offset=${offset}&role=PLAYER>; rel="${rel}"`)
      .join(', '),
  )
})

test('a page far down a list has the same rows as a page read in order', async () => {
  const { base, company_id, key } = await newCompany()
  await write(sql`
    INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified, date_archived)
    SELECT ${company_id}, gen_random_uuid(), 'N' || n % 7, 'n' || n % 7, 'PLAYER', now(), now(), CASE WHEN n % 2 = 0 THEN now() END
    FROM generate_series(1, 2040) n`)
  await write(sql`INSERT INTO counters (company_id, collection, shard, count) VALUES (${company_id}, 'users', 0, 1020)`)
  for (const query of [
    '',
    'sort=name',
    'sort=-name',
    'sort=-date_created',
    'q=n',
    'role=PLAYER',
    'archived=true',
    'archived=true&sort=name',
  ]) {
    const list = async (limit: number, offset: number) =>
      (await call('GET', `${base}/users?limit=${limit}&offset=${offset}&${query}`, { key })).body as {
        items: { id: string }[]
        total: number
      }
    const near = (await list(100, 940)).items
    const far = await Promise.all(Array.from({ length: 30 }, (_, i) => list(1, 990 + i)))
    const found = far.map(({ items }) => items[0])
    assert.deepEqual(found, near.slice(50), query)
    const { items, total } = await list(10, 1030)
    assert.deepEqual([items, total], [[], far[0]?.total], `${query} ends`)
    assert.deepEqual(await list(0, 2000), { items: [], limit: 0, offset: 2000, total, next_cursor: null })
  }
  // Another company with the same ids: the page has the users of that company.
  const other = await newCompany()
  await write(sql`
    INSERT INTO users (company_id, id, name, name_key, role, date_created, date_modified)
    SELECT ${other.company_id}, id, 'Other', 'other', role, date_created, date_modified FROM users WHERE company_id = ${company_id}`)
  const { items } = (await call('GET', `${other.base}/users?limit=5&offset=1500`, { key: other.key })).body as unknown as {
    items: { name: string; company_id: string }[]
  }
  assert.deepEqual(
    items.map(({ name, company_id }) => [name, company_id]),
    new Array(5).fill(['Other', other.company_id]),
  )
  for (const [offset, far] of [
    [999, false],
    [1000, true],
  ]) {
    const { sent } = await statementsOf(() => call('GET', `${base}/users?offset=${offset}`, { key, on }))
    assert.equal(/LATERAL/.test(sent.at(-1) ?? ''), far, `at ${offset}`)
  }
})

test('a PATCH is a merge patch: null clears, absent keeps, versions count', async () => {
  const { base, key, user } = await newCompany()
  const path = `${base}/users/${await user('PLAYER', 'Before')}`
  const changed = await call('PATCH', path, { key, body: { name: 'After', email: 'a@example.com' } })
  assert.deepEqual([changed.status, changed.body.name, changed.body.email, changed.body.version], [200, 'After', 'a@example.com', 2])
  const cleared = await call('PATCH', path, { key, body: { email: null } })
  assert.deepEqual([cleared.body.name, cleared.body.email, cleared.body.version], ['After', null, 3])
  assertProblem(await call('PATCH', path, { key, body: { name: 'Late' }, headers: { 'if-match': changed.headers.etag as string } }), 412)
  assert.equal(
    (await call('PATCH', path, { key, body: { name: 'Late' }, headers: { 'if-match': cleared.headers.etag as string } })).status,
    200,
  )
  assert.equal((await call('GET', `${base}/users?q=late`, { key })).body.total, 1, 'the folded name changed with the name')
})

test('an archived user is hidden and restorable, and their external_id can be used again', async () => {
  const { base, key, events } = await newCompany()
  const post = (name: string) => call('POST', `${base}/users`, { key, body: { name, role: 'PLAYER', external_id: 'x' } })
  const first = await post('First')
  const path = `${base}/users/${first.body.id}`
  assert.equal((await call('DELETE', path, { key })).status, 204)
  assert.equal((await call('DELETE', path, { key })).status, 204)
  assertProblem(await call('GET', path, { key }), 404, 'User not found')
  assertProblem(await call('PATCH', path, { key, body: { name: 'x' } }), 404)
  assert.equal((await call('GET', `${base}/users`, { key })).body.total, 0)
  const archived = await call('GET', `${base}/users?archived=true`, { key })
  assert.deepEqual([archived.body.total, typeof archived.body.items[0]?.date_archived], [1, 'string'])
  const second = await post('Second')
  assertProblem(await call('POST', `${path}/restore`, { key }), 409)
  await call('DELETE', `${base}/users/${second.body.id}`, { key })
  const restored = await call('POST', `${path}/restore`, { key })
  assert.deepEqual([restored.status, restored.body.date_archived, restored.body.version], [200, null, 3])
  const again = await call('POST', `${path}/restore`, { key })
  assert.deepEqual([again.status, again.text], [200, restored.text])
  assert.deepEqual(await events(), ['user.created', 'user.deleted', 'user.created', 'user.deleted', 'user.restored'])
})

test('a USER key creates players and reads, and restores nothing', async () => {
  const { base, developer, user, key } = await newCompany()
  const app = await developer('USER')
  const admin = await user('ADMIN')
  const post = (role: string, headers = {}) => call('POST', `${base}/users`, { key: app.key, body: { name: 'A', role }, headers })
  assert.equal((await post('PLAYER')).status, 201)
  for (const role of ['STORYTELLER', 'ADMIN']) {
    assertProblem(await post(role), 403)
    assertProblem(await post(role, { 'on-behalf-of': admin }), 403)
  }
  assert.equal((await post('PLAYER', { 'on-behalf-of': admin })).status, 201)
  assertProblem(await post('PLAYER', { 'on-behalf-of': await user('STORYTELLER') }), 403)
  const gone = await user('PLAYER')
  await call('DELETE', `${base}/users/${gone}`, { key })
  assert.equal((await call('GET', `${base}/users?archived=true`, { key: app.key })).body.total, 0)
  assert.equal((await call('GET', `${base}/users?archived=true`, { key })).body.total, 1)
  assertProblem(await call('POST', `${base}/users/${gone}/restore`, { key: app.key }), 403)
})

test('players change their own name and email, and nothing else', async () => {
  const { base, developer, user, key } = await newCompany()
  const app = await developer('USER')
  const [me, other] = [await user('PLAYER'), await user('PLAYER')]
  const patch = (id: string, body: object, apiKey = app.key, actor = me) =>
    call('PATCH', `${base}/users/${id}`, { key: apiKey, body, headers: { 'on-behalf-of': actor } })
  assert.equal((await patch(me, { name: 'New', email: 'n@example.com' })).status, 200)
  for (const apiKey of [app.key, key]) {
    assertProblem(await patch(me, { role: 'ADMIN' }, apiKey), 403)
    assertProblem(await patch(me, { name: 'x', external_id: 'y' }, apiKey), 403)
    assertProblem(await patch(other, { name: 'x' }, apiKey), 403)
  }
  assertProblem(await call('PATCH', `${base}/users/${me}`, { key: app.key, body: { name: 'x' } }), 403)
  assertProblem(await patch(me, { role: 'PLAYER' }, app.key, await user('ADMIN')), 403)
  assert.equal((await patch(me, { role: 'STORYTELLER' }, key, await user('ADMIN'))).body.role, 'STORYTELLER')
})

test('users see their own email and external_id, and null instead of those of others', async () => {
  const { base, key, developer } = await newCompany()
  const { key: userKey } = await developer('USER')
  const make = async (name: string, role = 'PLAYER') =>
    (await call('POST', `${base}/users`, { key, body: { name, role, email: `${name}@example.com`, external_id: `app:${name}` } })).body.id
  const [mina, lucy, renfield, admin] = [
    await make('mina'),
    await make('lucy'),
    await make('renfield', 'STORYTELLER'),
    await make('admin', 'ADMIN'),
  ]
  const seenAs = async (actor: string, apiKey: string) =>
    (await call('GET', `${base}/users`, { key: apiKey, headers: { 'on-behalf-of': actor } })).body.items
      .filter(({ email, external_id }) => email !== null || external_id !== null)
      .map(({ id, email, external_id }) => [id, email, external_id].join(' '))
  const row = (id: string, name: string) => `${id} ${name}@example.com app:${name}`
  for (const apiKey of [key, userKey]) {
    assert.deepEqual(await seenAs(mina, apiKey), [row(mina, 'mina')])
    assert.deepEqual(await seenAs(renfield, apiKey), [row(renfield, 'renfield')])
    assert.equal((await seenAs(admin, apiKey)).length, 4)
  }
  const find = async (actor: string, query: string) =>
    (await call('GET', `${base}/users?${query}`, { key, headers: { 'on-behalf-of': actor } })).body.total
  assert.deepEqual([await find(mina, 'external_id=app:lucy'), await find(mina, 'external_id=app:mina')], [0, 1])
  assert.deepEqual([await find(admin, 'external_id=app:lucy'), await find(mina, '')], [1, 4])
  const changed = await call('PATCH', `${base}/users/${mina}`, {
    key: userKey,
    headers: { 'on-behalf-of': mina },
    body: { email: 'new@example.com', metadata: { theme: 'dark' } },
  })
  assert.deepEqual(
    [changed.body.email, changed.body.external_id, changed.body.metadata],
    ['new@example.com', 'app:mina', { theme: 'dark' }],
  )
  const demoted = await call('PATCH', `${base}/users/${admin}`, { key, body: { role: 'PLAYER' } })
  assertProblem(demoted, 409)
  assert.equal((await call('PATCH', `${base}/users/${lucy}`, { key, body: { role: 'ADMIN' } })).status, 200)
  assert.equal((await seenAs(admin, key)).length, 4)
  await call('PATCH', `${base}/users/${admin}`, { key, body: { role: 'PLAYER' } })
  assert.deepEqual(await seenAs(admin, key), [row(admin, 'admin')], 'from the next request on')
})

test('a storyteller does not manage users', async () => {
  const { base, user, key } = await newCompany()
  const [storyteller, other] = [await user('STORYTELLER'), await user('PLAYER')]
  const headers = { 'on-behalf-of': storyteller }
  assertProblem(await call('DELETE', `${base}/users/${other}`, { key, headers }), 403)
  assertProblem(await call('PATCH', `${base}/users/${other}`, { key, headers, body: { role: 'ADMIN' } }), 403)
  assertProblem(await call('POST', `${base}/users/${other}/restore`, { key, headers }), 403)
})

test('the last ADMIN can neither be demoted nor archived', async () => {
  const { base, user, key } = await newCompany()
  const first = await user('ADMIN')
  assertProblem(await call('PATCH', `${base}/users/${first}`, { key, body: { role: 'PLAYER' } }), 409, /last ADMIN/)
  assertProblem(await call('DELETE', `${base}/users/${first}`, { key }), 409, /last ADMIN/)
  const second = await user('ADMIN')
  assert.equal((await call('DELETE', `${base}/users/${first}`, { key })).status, 204)
  assertProblem(await call('DELETE', `${base}/users/${second}`, { key }), 409)
})

test('403: a storyteller manages other users', async () => {
  const { base, key, user } = await newCompany()
  const [storyteller, someone] = [await user('STORYTELLER'), await user('PLAYER')]
  const headers = { 'on-behalf-of': storyteller }
  const path = `${base}/users/${someone}`
  assertProblem(await call('PATCH', path, { key, headers, body: { role: 'STORYTELLER' } }), 403, 'No rights to access this resource')
  assertProblem(await call('PATCH', path, { key, headers, body: { name: 'x' } }), 403)
  assertProblem(await call('DELETE', path, { key, headers }), 403)
  assertProblem(await call('POST', `${path}/restore`, { key, headers }), 403)
  assertProblem(await call('POST', `${base}/users`, { key, headers, body: { name: 'x', role: 'PLAYER' } }), 403)
  assert.equal((await call('GET', path, { key, headers })).body.role, 'PLAYER')
})
