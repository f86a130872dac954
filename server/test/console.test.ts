import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { buildApp } from '../src/app.ts'
import { hashOf } from '../src/core/api-key.ts'
import { sql } from '../src/db/sql.ts'
import { CONSOLE_FOLDER } from '../src/pages/serve-console.ts'
import { codeFor, secretOf, sessionOf, signIn, userSession, withSession } from './console.ts'
import { assertProblem, call, db, newApp, newCompany, newDatabase, newDeveloper, testConfig, url } from './harness.ts'
import { guildhall, newFolder, startService } from './service.ts'
import { follow } from './sse.ts'
import { until } from './until.ts'

const dist = mkdtempSync(join(tmpdir(), 'guildhall-console-'))
after(() => rmSync(dist, { recursive: true, force: true }))
mkdirSync(join(dist, 'assets'))
const PAGE = '<!doctype html><title>Console</title><script type="module" src="/console/assets/main-1a2b.js"></script>'
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(3000))})`
writeFileSync(join(dist, 'index.html'), PAGE)
writeFileSync(join(dist, 'assets/main-1a2b.js'), SCRIPT)
writeFileSync(join(dist, 'built-from'), 'stamp')

const lines: string[] = []
const sink = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = buildApp(db, testConfig(), { logger: pino({ base: null }, sink), consoleFolder: dist })
after(() => app.close())

test('the pages of the console are one file under a strict policy, and its assets never change', async () => {
  const paths = ['/console', '/console/', '/console/index.html', '/console/companies/1', '/console/a/b/?x=1']
  // The stamp of the build is no file of the console.
  for (const path of [...paths, '/console/built-from']) {
    const { statusCode, body, headers } = await app.inject({ url: path })
    assert.deepEqual([statusCode, body, headers['cache-control']], [200, PAGE, 'no-cache'], path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    )
    assert.deepEqual(
      ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'x-frame-options'].map((name) => headers[name]),
      ['nosniff', 'no-referrer', 'same-origin', 'DENY'],
    )
    assert.equal((await app.inject({ url: path, headers: { 'if-none-match': String(headers.etag) } })).statusCode, 304)
  }
  const asset = await app.inject({ url: '/console/assets/main-1a2b.js', headers: { 'accept-encoding': 'br' } })
  assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(asset.headers['content-type'], 'text/javascript; charset=utf-8')
  assert.equal(String(brotliDecompressSync(asset.rawPayload)), SCRIPT)
  for (const path of [
    '/console/assets/old-9z.js',
    '/console/assets/',
    '/console/assets/../../../package.json',
    '/console/%2e%2e/%2e%2e/package.json',
    '/consoles',
  ])
    assert.equal((await app.inject({ url: path })).statusCode, 404, path)
  assert.equal((await app.inject({ method: 'POST', url: '/console' })).statusCode, 405)
})

test('a console that is not built is a 404 with the command that builds it, and CONSOLE=off a 404 like any other', async () => {
  const missing = buildApp(db, testConfig(), { consoleFolder: join(dist, 'missing') })
  after(() => missing.close())
  assert.match(CONSOLE_FOLDER, /\/console\/dist\/$/)
  for (const path of ['/console', '/console/a', '/console/assets/a.js'])
    assertProblem(await call('GET', path, { on: missing }), 404, /Run npm run build:console/)
  const off = await newApp({ CONSOLE: 'off' })
  for (const path of ['/console', '/console/a']) assertProblem(await call('GET', path, { on: off }), 404, /^There is nothing at this path/)
})

test('signing in is refused over plain HTTP, except on the machine itself, and to everything but the console', async () => {
  const { key } = await newCompany()
  for (const host of ['localhost:8080', '127.0.0.1', '127.8.0.1:1', '[::1]:80', 'console.localhost']) {
    const { status, text } = await signIn({ key }, { host })
    assert.equal(status, 201, `${host} ${text}`)
  }
  for (const host of ['play.example', '127.0.0.1.example', '10.0.0.1', 'localhost.example:80'])
    assertProblem(await signIn({ key }, { host, 'x-forwarded-proto': 'https' }), 403, /^The console signs in only over HTTPS/)
  const behindProxy = await newApp({ TRUST_PROXY: 'on' })
  const secure = { host: 'play.example', 'x-forwarded-proto': 'https' }
  assert.equal((await signIn({ key }, secure, behindProxy)).status, 201)
  assertProblem(await signIn({ key }, { ...secure, 'x-forwarded-proto': 'http' }, behindProxy), 403)
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'none' }, { 'x-guildhall-console': '' }] as Record<
    string,
    string
  >[]) {
    const refused = await signIn({ key }, headers)
    assertProblem(refused, 403, /^Only the pages of the console sign in here/)
    assert.deepEqual([refused.body.code, refused.headers['set-cookie']], ['sign_in_refused', undefined])
  }
})

test('the secrets of links and sessions are in no table, log line or event, and in no stored reply in the clear', async () => {
  const { base, user, key } = await newCompany()
  const user_id = await user('PLAYER')
  lines.length = 0
  const links = `${base}/users/${user_id}/sign-in-links`
  const created = await call('POST', links, { key, body: {}, on: app, headers: { 'idempotency-key': 'a-key' } })
  const again = await call('POST', links, { key, body: {}, on: app, headers: { 'idempotency-key': 'a-key' } })
  assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', created.text])
  const code = String(created.body.url).split('#code=')[1] as string
  const [unused, ofUser, ofDeveloper] = [
    await codeFor(base, user_id, key),
    secretOf(await signIn({ code }, { 'idempotency-key': 'b-key' }, app)),
    secretOf(await signIn({ key }, {}, app)),
  ]
  for (const secret of [ofUser, ofDeveloper]) {
    assert.equal((await call('GET', '/api/v1/me', { headers: withSession(secret), on: app })).status, 200)
    assert.equal((await call('GET', '/api/v1/me', { headers: withSession(`${secret}x`), on: app })).status, 401)
  }
  const written = lines.join('')
  assert.ok(written.includes('"session_id"') && written.includes('/api/v1/console-session'))
  const tables = await db.query<{ name: string }>(
    sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  for (const secret of [code, unused, ofUser, ofDeveloper, key]) {
    assert.ok(!written.includes(secret))
    for (const { name } of tables) {
      const rows = await db.query(sql`SELECT 1 AS one FROM ${sql.id(name)} t WHERE position(${secret} IN t::text) > 0
        OR position(${Buffer.from(secret).toString('hex')} IN t::text) > 0`)
      assert.equal(rows.length, 0, name)
    }
  }
  assert.equal((await db.query(sql`SELECT 1 AS one FROM console_sessions WHERE secret_hash = ${hashOf(ofDeveloper)}`)).length, 1)
})

test('CORS never allows credentials, and a page of a listed origin cannot use the cookie', async () => {
  const { key } = await newCompany()
  const shared = await newApp({ CORS_ORIGINS: 'https://play.example,*' })
  const headers = { ...withSession(await sessionOf(key)), origin: 'https://play.example', 'sec-fetch-site': 'cross-site' }
  const answer = await call('GET', '/api/v1/me', { headers, on: shared })
  assertProblem(answer, 401, 'API key not provided')
  assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  assertProblem(await signIn({ key }, { origin: 'https://play.example', 'sec-fetch-site': 'cross-site' }, shared), 403)
})

test('a stream of a session ends after the sign-out', async () => {
  const { base, user, key } = await newCompany()
  const user_id = await user('PLAYER')
  const listening = await newApp({ STREAMS_CHECK: '1' })
  const address = await listening.listen({ port: 0, host: '127.0.0.1' })
  for (const secret of [await sessionOf(key), await userSession(base, user_id, key)]) {
    const headers = withSession(secret)
    const reader = await follow(`${address}${base}/users/${user_id}/stream`, headers)
    await reader.until(({ event }) => event === 'ready')
    assert.equal((await call('DELETE', '/api/v1/console-session', { headers })).status, 204)
    assert.equal((await reader.last()).raw, 'event: bye\ndata: {"reason":"revoked"}')
  }
})

test('guildhall console-link creates a link that signs in once, for an operator or another developer', async () => {
  const on = { DATABASE_URL: url, PORT: '8080' }
  const { id, key_id } = await newDeveloper()
  const { code: exit, output } = await guildhall(['console-link', '--developer', id, '--expires-in', '2h', '--json'], on)
  assert.equal(exit, 0, output)
  const link = JSON.parse(output)
  assert.match(link.url, /^http:\/\/127\.0\.0\.1:8080\/console\/#code=gll_[0-9A-Za-z]{36}$/)
  const left = Date.parse(link.date_expires) - Date.now()
  assert.ok(left > 7_100_000 && left <= 7_200_000)
  const code = link.url.split('#code=')[1]
  const signed = await signIn({ code })
  assert.deepEqual([signed.status, (signed.body.developer as { id: string }).id, signed.body.key_id], [201, id, key_id])
  assertProblem(await signIn({ code }), 401)
  const [event] = await db.query<{ type: string; developer_id: null }>(
    sql`SELECT type, developer_id FROM events WHERE company_id = ${id} AND type = 'console_link.created'`,
  )
  assert.deepEqual(event, { type: 'console_link.created', developer_id: null })

  assert.match((await guildhall(['console-link'], { DATABASE_URL: url })).output, /because PORT is 0/)
  const empty = { DATABASE_URL: await newDatabase(), PORT: '8080' }
  assert.match((await guildhall(['console-link'], empty)).output, /^There is no global admin\. Create one: guildhall developers create/)
  const created = JSON.parse((await guildhall(['developers', 'create', 'operator', '--global-admin', '--json'], empty)).output)
  assert.match((await guildhall(['console-link'], empty)).output, new RegExp(`Issue a key first: guildhall keys issue ${created.id}`))
  await guildhall(['keys', 'issue', 'operator'], empty)
  const printed = await guildhall(['console-link'], { ...empty, PUBLIC_URL: 'https://play.example' })
  assert.match(printed.output, /^https:\/\/play\.example\/console\/#code=gll_\w{36}\nIt signs in once, until [^\n]+ Give it to nobody\.\n$/)
  assert.match((await guildhall(['console-link'], empty)).output, /PUBLIC_URL is not set/)
  for (const [args, env, sentence] of [
    [['--expires-in', '5'], {}, /Expected a time from 1m to 24h/],
    [['--expires-in', '25h'], {}, /Expected a time from 1m to 24h/],
    [['--developer', 'nobody'], {}, /There is no developer 'nobody'/],
    [[], { CONSOLE: 'off' }, /CONSOLE is off/],
    [[], { PUBLIC_URL: 'https://play.example/path' }, /^PUBLIC_URL is/],
  ] as const) {
    const refused = await guildhall(['console-link', ...args], { ...empty, ...env } as Record<string, string>)
    assert.ok(refused.code, refused.output)
    assert.match(refused.output, sentence)
  }
})

const hasScript = spawnSync('script', ['--version']).status === 0

test('a start in a terminal prints a link that signs the operator in; elsewhere it names the command', async (t) => {
  const data = join(newFolder(), 'data')
  const quiet = await startService({ GUILDHALL_DATA_DIR: data })
  assert.match(quiet.output(), /To sign in to the console, create a link: PORT=\d+ npm run -s guildhall -- console-link/)
  assert.ok(!quiet.output().includes('gll_'))
  await quiet.kill('SIGTERM')

  await t.test('in a terminal', { skip: !hasScript && 'script is not installed' }, async () => {
    const { DATABASE_URL, HOST, ...withoutSettings } = process.env
    const program = new URL('../bin/guildhall.mjs', import.meta.url).pathname
    const run = async (env: Record<string, string>, work: (base: string, output: string) => Promise<void>) => {
      const child = spawn('script', ['-qec', `${process.execPath} ${program} serve`, '/dev/null'], {
        env: { ...withoutSettings, GUILDHALL_DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent', ...env },
      })
      const closed = once(child, 'close')
      let output = ''
      child.stdout.on('data', (chunk) => (output += chunk))
      try {
        await until(() => /; echo/.test(output), 'the link', 60)
        await work(/listens on (\S+)/.exec(output)?.[1] ?? '', output)
      } finally {
        child.stdin.write('\u0003')
        await closed
      }
    }
    await run({}, async (base, output) => {
      const [, link = '', code = ''] = /(http:\S+\/console\/#code=(gll_\w+))/.exec(output) ?? []
      assert.ok(link.startsWith(base), output)
      const exchange = () =>
        fetch(`${base}/api/v1/console-session`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-guildhall-console': '1' },
          body: JSON.stringify({ code }),
        })
      const signed = await exchange()
      assert.equal(signed.status, 201)
      assert.equal(((await signed.json()) as { developer: { name: string } }).developer.name, 'operator')
      assert.equal((await exchange()).status, 401)
    })
    await run({ CONSOLE: 'off' }, async (base, output) => {
      assert.ok(base)
      assert.doesNotMatch(output, /console/i)
    })
    await run({ HOST: '0.0.0.0' }, async (_base, output) => {
      assert.ok(!output.includes('gll_'))
      assert.match(output, /guildhall -- console-link/)
    })
  })
})
