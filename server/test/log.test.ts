import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { freePort } from './free-port.ts'
import { call, db, newCompany, testConfig, url } from './harness.ts'
import { ask, startService } from './service.ts'
import { until } from './until.ts'

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = buildApp(db, testConfig(), { logger: pino({ base: null }, sink) })
after(() => app.close())

test('a request is one line with its caller, route and status, and without keys and secrets', async () => {
  const company = await newCompany()
  const admin = await company.user('ADMIN')
  lines.length = 0
  const headers = { 'on-behalf-of': admin, 'idempotency-key': 'my-idempotency-key', 'x-request-id': 'their-id' }
  const reply = await call('POST', `${company.base}/users?limit=1`, {
    key: company.key,
    headers,
    body: { name: 'Secret Name', role: 'PLAYER' },
    on: app,
  })
  assert.equal(reply.status, 400)
  const rotated = await call('POST', `/api/v1/developers/me/keys/${company.owner.key_id}/rotate`, { key: company.key, on: app })
  assert.equal(lines.length, 2)
  const { time, ms, level, ...line } = JSON.parse(lines[0] as string)
  assert.deepEqual(line, {
    request_id: reply.headers['x-request-id'],
    method: 'POST',
    route: '/api/v1/companies/:company_id/users',
    status: 400,
    developer_id: company.owner.id,
    company_id: company.company_id,
    user_id: admin,
    client_request_id: 'their-id',
    msg: 'answered',
  })
  assert.equal(typeof ms, 'number')
  const text = lines.join('')
  for (const secret of [company.key, rotated.body.key, 'my-idempotency-key', 'Secret Name'])
    assert.equal(text.includes(secret), false, secret)
})

test('a request with a token is logged with the id of the token, and without the token', async () => {
  const { base, key, company_id, owner, user } = await newCompany()
  const user_id = await user('PLAYER')
  lines.length = 0
  const issued = await call('POST', `${base}/users/${user_id}/tokens`, { key, on: app, body: { label: 'Secret Name' } })
  const headers = { authorization: `Bearer ${issued.body.token}` }
  assert.equal((await call('GET', `${base}/users?limit=1`, { headers, on: app })).status, 200)
  assert.equal((await call('GET', `${base}/users`, { headers: { authorization: `${headers.authorization}x` }, on: app })).status, 401)
  assert.equal(lines.length, 3)
  const { developer_id, token_id, ...line } = JSON.parse(lines[1] as string)
  assert.deepEqual([developer_id, line.company_id, line.user_id, token_id], [owner.id, company_id, user_id, issued.body.id])
  for (const secret of [String(issued.body.token), 'Secret Name']) assert.equal(lines.join('').includes(secret), false, secret)
})

test('a denied request is logged with its developer and company', async () => {
  const [mine, theirs] = [await newCompany(), await newCompany()]
  lines.length = 0
  await call('GET', `${theirs.base}/users`, { key: mine.key, on: app })
  const line = JSON.parse(lines[0] as string)
  assert.deepEqual([line.msg, line.status, line.developer_id, line.company_id], ['denied', 403, mine.owner.id, theirs.company_id])
})

test('a closed pipe or a full disk behind the log does not stop the service', async () => {
  const bin = new URL('../bin/guildhall.mjs', import.meta.url).pathname
  for (const output of ['| head -1', '> /dev/full']) {
    const port = await freePort()
    const env = { ...process.env, DATABASE_URL: url, PORT: port, LOG_FORMAT: 'json', LOG_LEVEL: 'info', RATE_LIMIT: 'off' }
    // Its own process group, so that the test can end all processes of it.
    const child = spawn('sh', ['-c', `"${process.execPath}" "${bin}" serve ${output}`], { env, stdio: 'ignore', detached: true })
    const liveStatus = () =>
      fetch(`http://127.0.0.1:${port}/health/live`).then(
        ({ status }) => status,
        () => 0,
      )
    try {
      await until(async () => (await liveStatus()) === 200, 'the service to start')
      // Their lines fill the buffer several times, so that it is written.
      for (let i = 0; i < 50; i++) assert.equal((await fetch(`http://127.0.0.1:${port}/${'x'.repeat(1000)}`)).status, 404)
      assert.equal(await liveStatus(), 200)
    } finally {
      process.kill(-(child.pid as number), 'SIGKILL')
    }
  }
})

test('the log contains every request that was answered before a SIGTERM', async () => {
  const { base, key } = await newCompany()
  for (let round = 0; round < 3; round++) {
    const service = await startService({ DATABASE_URL: url, LOG_LEVEL: 'info', LOG_FORMAT: 'json' })
    const replies = await Promise.all(Array.from({ length: 5 }, () => ask(service, 'GET', `${base}/users`, key)))
    assert.equal(await service.kill('SIGTERM'), 0)
    for (const { headers } of replies) assert.ok(service.output().includes(headers.get('x-request-id') as string), service.output())
  }
})

test('an origin that is not in CORS_ORIGINS is logged once, and at most a hundred are', async () => {
  const appWith = (CORS_ORIGINS: string) => {
    const own = buildApp(db, testConfig({ CORS_ORIGINS }), { logger: pino({ base: null, level: 'warn' }, sink) })
    after(() => own.close())
    return own
  }
  const warned = async (on: ReturnType<typeof appWith>, requests: Record<string, string>[]) => {
    lines.length = 0
    for (const headers of requests) await call('GET', '/api/v1', { headers, on })
    return lines.map((line) => JSON.parse(line).msg as string)
  }
  const [none, some, all] = [appWith(''), appWith('https://play.example'), appWith('*, https://play.example')]
  const origin = 'https://other.example'
  const said = `origin ${origin} is not in CORS_ORIGINS`
  for (const on of [none, some])
    assert.deepEqual(await warned(on, [{ origin }, { origin }, { origin, 'sec-fetch-site': 'cross-site' }]), [said])
  assert.deepEqual(await warned(some, [{ origin: 'null' }]), ['origin null is not in CORS_ORIGINS'])
  assert.deepEqual(
    await warned(none, [
      { origin: 'http://own.example', host: 'own.example' },
      { origin: 'https://x.example', 'sec-fetch-site': 'same-origin' },
    ]),
    [],
  )
  assert.deepEqual(await warned(some, [{ origin: 'https://play.example' }, {}]), [])
  // With *, only a key makes an origin one that is not allowed.
  assert.deepEqual(await warned(all, [{ origin }, { origin, 'x-api-key': 'glh_x' }, { origin, authorization: 'Bearer glu_x' }]), [
    `${said}, and * allows no API keys`,
  ])
  assert.deepEqual(await warned(none, [{ origin: 'https://a b' }, { origin: 'x"\\' }, { origin: `https://${'x'.repeat(500)}` }]), [])
  const many = Array.from({ length: 150 }, (_, i) => ({ origin: `https://${i}.example` }))
  assert.equal((await warned(appWith(''), many)).length, 100)
})
