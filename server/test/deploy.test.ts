import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from './free-port.ts'
import { newCompany, url } from './harness.ts'
import { readMarkdown } from './markdown.ts'
import { ask, guildhall, newFolder, type Service, startService, startStreamingService } from './service.ts'
import { follow } from './sse.ts'
import { missing, NGINX } from './third-party.ts'
import { repeat, until } from './until.ts'

const deploy = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8')

/** Starts nginx with the example in front of two upstream URLs. Returns its URL. */
async function startNginx(upstreams: [string, string]): Promise<string> {
  const port = await freePort()
  const folder = dirname(newFolder())
  for (const name of ['logs', 'tmp']) mkdirSync(join(folder, name))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'tmp', name)};`)
    .join(' ')
  const site = deploy('nginx.conf')
    .replace('127.0.0.1:8080', new URL(upstreams[0]).host)
    .replace('127.0.0.1:8081', new URL(upstreams[1]).host)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const whole = `daemon off; ${user} pid ${join(folder, 'nginx.pid')}; error_log stderr warn; events {} http { access_log off; ${paths} ${site} }`
  writeFileSync(join(folder, 'nginx.conf'), whole)
  const nginx = spawn(NGINX, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  after(() => nginx.kill('SIGTERM'))
  let complaint = ''
  nginx.stderr.on('data', (text) => (complaint += text))
  const url = `http://127.0.0.1:${port}`
  const isReady = async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status === 200
  await until(isReady, () => complaint)
  return url
}

test('nginx forwards everything to two processes, and keeps answering while one of them drains', { skip: missing(NGINX) }, async () => {
  const env = { DATABASE_URL: url, TRUST_PROXY: 'loopback', RATE_LIMIT: 'on', RATE_LIMIT_BURST: '100000', RATE_LIMIT_SUSTAINED: '1000000' }
  const services = (await Promise.all([startService(env), startService(env)])) as [Service, Service]
  const front: Service = { ...services[0], base: await startNginx([services[0].base, services[1].base]) }
  const { base, key } = await newCompany()
  const made = await ask(front, 'POST', `${base}/users`, key, { name: 'Mina', role: 'PLAYER' })
  assert.deepEqual([made.status, made.headers.get('location')], [201, `${base}/users/${made.body.id}`])
  assert.equal((await ask(front, 'GET', made.headers.get('location') as string, key)).headers.get('etag'), made.headers.get('etag'))
  assert.equal((await ask(front, 'GET', `${base}/users?limit=101`, key)).status, 400)
  const rich = await ask(front, 'PATCH', made.headers.get('location') as string, key, {
    metadata: { a: 'x'.repeat(500), b: 'y'.repeat(500) },
  })
  const shown = ['content-encoding', 'vary', 'etag'].map((name) => rich.headers.get(name)?.slice(0, 20))
  assert.deepEqual(shown.slice(0, 2), ['gzip', 'Accept-Encoding'], 'compressed by the service')
  assert.match(shown[2] ?? '', /^W\/"2-/)
  const huge = await ask(front, 'POST', `${base}/users`, key, { name: 'x'.repeat(1_500_000), role: 'PLAYER' })
  assert.deepEqual([huge.status, huge.body.code], [413, 'body_too_large'], 'in the shape of the service')

  // The address of the client counts, not that of the proxy, and not one that the client claims.
  const strangers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => ask(front, 'GET', base, 'glh_nonsense', undefined, { 'x-forwarded-for': `10.0.0.${i}` })),
  )
  assert.ok(strangers.some(({ status }) => status === 429))

  const statuses: number[] = []
  const stop = repeat(async () => statuses.push((await ask(front, 'GET', `${base}/users`, key)).status), 4)
  const untilMore = (enough = statuses.length + 20) => until(() => statuses.length > enough, 'more answers')
  await untilMore()
  assert.equal(await services[0].kill('SIGTERM'), 0)
  await untilMore()
  await stop()
  assert.deepEqual([...new Set(statuses)], [200], 'nobody noticed')
})

test('nginx passes the frames of a stream on at once, and the client resumes on the other process', { skip: missing(NGINX) }, async () => {
  const services = (await Promise.all([1, 2].map(() => startStreamingService({ DATABASE_URL: url })))) as [Service, Service]
  const front = await startNginx([services[0].base, services[1].base])
  const { base, key, user } = await newCompany()
  const path = `${front}${base}/users/${await user('PLAYER')}/test/stream`
  const publish = (service: Service, text: string) => ask(service, 'POST', `${base}/test/messages`, key, { text })
  const reader = await follow(path, { 'x-api-key': key })
  assert.match((await reader.next()).raw, /^retry: /)
  assert.equal((await reader.next()).event, 'ready')
  // Each process has a channel of its own: the first message says which of them serves the stream.
  for (const i of [0, 1] as const) await publish(services[i], String(i))
  const { text } = JSON.parse((await reader.next(5000)).data)
  const [serving, other] = text === '0' ? services : [services[1], services[0]]
  await publish(serving, 'At once')
  assert.equal((await reader.next(5000)).data, '{"text":"At once"}')
  const stopped = serving.kill('SIGTERM')
  assert.equal((await reader.last()).data, '{"reason":"draining"}')
  const resumed = await follow(path, { 'x-api-key': key, 'last-event-id': 'p2' })
  await resumed.next()
  assert.equal((await resumed.next()).id, 'p2')
  await publish(other, 'Still here')
  assert.equal((await resumed.next(5000)).data, '{"text":"Still here"}')
  resumed.close()
  assert.equal(await stopped, 0)
})

test('the dashboard uses only metrics that exist', async () => {
  const source = readFileSync(new URL('../src/http/telemetry/metrics.ts', import.meta.url), 'utf8')
  const asked = new Set(
    [...deploy('grafana-dashboard.json').matchAll(/guildhall_\w+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, '')),
  )
  assert.ok(asked.size >= 6)
  for (const name of asked) assert.ok(source.includes(`'${name}'`), name)
})

test('the service reads every variable of the examples', () => {
  const config = readFileSync(new URL('../src/core/config.ts', import.meta.url), 'utf8')
  const named = [
    ...deploy('compose.yaml').matchAll(/^ {6}([A-Z_]+):/gm),
    ...deploy('compose.citus.yaml').matchAll(/^ +([A-Z_]+):/gm),
    ...deploy('Dockerfile').matchAll(/\b([A-Z_]+)=/g),
  ].map(([, name]) => name as string)
  for (const name of named.filter((name) => !/^(POSTGRES_|PGPASSWORD|NODE_ENV)/.test(name))) assert.ok(config.includes(name), name)
})

/** Returns the first group of every match. */
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found as string)

test('the example of a cluster refers only to services, volumes and anchors that it has', () => {
  const [, head = '', services = '', volumes = ''] =
    /^([\s\S]+)\nservices:\n([\s\S]+)\nvolumes:\n([\s\S]+)$/.exec(deploy('compose.citus.yaml')) ?? []
  const names = all(services, /^ {2}(\w+):$/gm)
  assert.deepEqual(names, ['coordinator', 'worker1', 'worker2', 'register', 'migrate', 'distribute', 'guildhall', 'redis'])
  const awaited = all(services, /^ {6}(\w+):\n {8}condition: /gm)
  assert.equal(awaited.length, 7)
  const hosts = [...all(head, /(?:@|redis:\/\/)(\w+)[:/]/g), ...all(services, /(?:--host=|_host\('|_node\(')(\w+)/g)]
  assert.equal(hosts.length, 6)
  for (const name of [...awaited, ...hosts]) assert.ok(names.includes(name), name)
  assert.deepEqual(all(services, /^ {6}- (\w+):\/var/gm), all(volumes, /^ {2}(\w+):$/gm))
  assert.deepEqual(new Set(all(services, /\*(\w+)$/gm)), new Set(all(head, /&(\w+)$/gm)))
})

test('the example of a cluster has the settings and runs the commands of docs/scaling.md', async () => {
  const example = deploy('compose.citus.yaml')
  const guide = readMarkdown('docs/scaling.md')
  const settings = all(example, /^ +- -c(\w+=\w+)$/gm)
  assert.equal(settings.length, 5)
  for (const setting of settings) assert.ok(guide.includes(`\n${setting.replace('=', ' = ')}\n`), setting)
  const statements = all(example, /--command=(.+)$/gm)
  assert.equal(statements.length, 3)
  for (const statement of statements) assert.ok(guide.includes(`-c "${statement}"`), statement)
  const commands = all(example, /"server\/bin\/guildhall\.mjs", (.+)\]$/gm).map((words) => words.replaceAll(/[",]/g, '').split(' '))
  assert.deepEqual(commands, [['migrate'], ['distribute'], ['serve', '--processes', '2']])
  for (const [command = '', flag = ''] of commands) {
    const { code, output } = await guildhall([command, '--help'])
    assert.deepEqual([code, output.includes(flag)], [0, true], output)
  }
})

const root = new URL('../../', import.meta.url)
const ignoreRules = readFileSync(new URL('.dockerignore', root), 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line && !line.startsWith('#'))

/** Returns true if Docker leaves a path out of a build: the last rule that matches it, or one of its folders, decides. */
function isIgnored(path: string): boolean {
  const parts = path.split('/')
  const paths = parts.map((_, i) => parts.slice(0, i + 1).join('/'))
  let ignored = false
  for (const rule of ignoreRules) {
    const pattern = rule.replace(/^!/, '')
    // matchesGlob does not let a star match a leading dot; Docker does.
    const matches = paths.some((some) => matchesGlob(some.replaceAll(/(^|\/)\./g, '$1dot-'), pattern.replace(/^\./, 'dot-')))
    if (matches) ignored = !rule.startsWith('!')
  }
  return ignored
}

test('no data folder, key, backup or history can enter a build of the container', () => {
  for (const path of [
    'data/operator.key',
    'data/postgres/PG_VERSION',
    'operator.key',
    'server/operator.key',
    'server/src/operator.key',
    'server/src/data/operator.key',
    'console/src/data/operator.key',
    'server/data/postgres/base/1/1',
    'restored/postgres/PG_VERSION',
    'guildhall-2026-11-15.backup',
    'server/src/nightly.backup',
    '.git/config',
    '.env',
    'node_modules/pg/package.json',
    'server/node_modules/pg/package.json',
    'server/src/core/core.test.ts',
    'dice/src/draw.test.ts',
    'dice/node_modules/some/package.json',
    'notes.txt',
  ])
    assert.equal(isIgnored(path), true, path)
})

test('the Dockerfile copies only named paths, and all of them enter the build', () => {
  const stages = deploy('Dockerfile')
    .split(/^FROM .+$/m)
    .slice(1)
  const [bundling = [], image = []] = stages.map((stage) =>
    [...stage.matchAll(/^(?:COPY|ADD) (?!--from)(.+)$/gm)].flatMap(([, paths]) => (paths as string).split(' ').slice(0, -1)),
  )
  const packages = ['server', 'dice', 'rules', 'client', 'console'].map((name) => `${name}/package.json`)
  const installed = ['package.json', 'package-lock.json', '.npmrc', ...packages]
  assert.deepEqual(bundling, [...installed, 'dice/src', 'client/src', 'console/build.mjs', 'console/index.html', 'console/src'])
  assert.deepEqual(image, [
    ...installed,
    'server/bin',
    'server/src',
    'dice/src',
    'rules/src',
    'packs',
    'client/src',
    'console/src/setup',
    'docs',
    'CHANGELOG.md',
    'SECURITY.md',
  ])
  const sources = [...bundling, ...image]
  for (const path of [
    ...sources,
    'docs/guides/dice.md',
    'server/bin/guildhall.mjs',
    'server/src/cli/main.ts',
    'server/src/db/migrations/0001_start.sql',
    'dice/src/draw.ts',
    'packs/d10-pool.json',
    'console/src/data/client.ts',
  ])
    assert.equal(isIgnored(path), false, path)
})
