import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { missing, REDIS } from './foreign.ts'
import { newDeveloper, url } from './harness.ts'
import { ask, newFolder, type Service, startService } from './service.ts'

const absent = missing(REDIS)
const socket = join(newFolder(), '..', 'redis.sock')
let redis: ChildProcess | undefined

async function startRedis() {
  const folder = join(socket, '..')
  redis = spawn(REDIS, ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], { stdio: 'ignore' })
  while (!existsSync(socket)) await sleep(10)
}
async function stopRedis() {
  const gone = new Promise((resolve) => redis?.once('exit', resolve))
  redis?.kill('SIGKILL')
  await gone
}
after(() => redis?.kill('SIGKILL'))

const limits = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000000', RATE_LIMIT_SUSTAINED: '60', RATE_LIMIT_AUTH: '5' }
const env = { DATABASE_URL: url, REDIS_URL: socket, ...limits }

test('limits are shared by two processes, open while Redis is away, and shared again when it is back', { skip: absent }, async (t) => {
  await startRedis()
  const services = (await Promise.all([startService(env), startService(env)])) as [Service, Service]
  const storm = async (key: string, count: number) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, i) => ask(services[i % 2] as Service, 'GET', '/api/v1/developers/me', key)),
    )
    return answers.map(({ status, headers }) => ({ status, left: headers.get('ratelimit'), retry: headers.get('retry-after') }))
  }
  const passed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length

  // One a second is refilled: however long the storm takes, that many more pass and not one besides.
  const { key } = await newDeveloper()
  const begun = Date.now()
  const answers = await storm(key, 1000)
  const refilled = Math.ceil((Date.now() - begun) / 1000)
  t.diagnostic(`of 1,000 at once over two processes ${passed(answers)} pass, where 60 and ${refilled} a second may`)
  assert.ok(passed(answers) >= 60 && passed(answers) <= 60 + refilled, String(passed(answers)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 429]))
  for (const { status, left, retry } of answers) {
    assert.match(left ?? '', /^"burst";r=\d+;t=0, "sustained";r=\d+;t=\d+$/)
    if (status === 429) assert.equal(retry, '1')
  }
  const numbers = answers.filter(({ status }) => status === 200).map(({ left }) => Number(/sustained";r=(\d+)/.exec(left ?? '')?.[1]))
  assert.ok(new Set(numbers).size >= 58, 'each is told another remainder')

  await stopRedis()
  const { key: second } = await newDeveloper()
  const alone = await storm(second, 200)
  assert.ok(passed(alone) >= 120 && passed(alone) <= 130, `each process lets its own 60 pass: ${passed(alone)}`)
  assert.deepEqual(new Set(alone.map(({ status }) => status)), new Set([200, 429]))

  await startRedis()
  await sleep(2500)
  const { key: third } = await newDeveloper()
  const together = await storm(third, 200)
  assert.ok(passed(together) >= 60 && passed(together) <= 65, `shared again: ${passed(together)}`)
  for (const service of services) assert.match(service.output(), /Redis is away[\s\S]*Redis is back/)
})

test('failed authentication is counted over both, and never refuses a key that is good', { skip: absent }, async () => {
  await stopRedis()
  await startRedis()
  const services = (await Promise.all([startService(env), startService(env)])) as [Service, Service]
  const bad = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(services[i % 2] as Service, 'GET', '/api/v1/developers/me', 'glh_nonsense')),
  )
  const refused = bad.filter(({ status }) => status === 401).length
  assert.ok(refused >= 5 && refused <= 6, String(refused))
  const { key } = await newDeveloper()
  assert.equal((await ask(services[0], 'GET', '/api/v1/developers/me', key)).status, 200)
})

test('a Redis that hangs holds up one request for a second, and health none', { skip: absent }, async () => {
  await stopRedis()
  await startRedis()
  const service = await startService(env)
  const { key } = await newDeveloper()
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', key)).status, 200)
  redis?.kill('SIGSTOP')
  const begun = performance.now()
  assert.equal((await ask(service, 'GET', '/health/live', '')).status, 200)
  assert.ok(performance.now() - begun < 700)
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', key)).status, 200)
  const after = performance.now()
  for (let i = 0; i < 10; i++) assert.equal((await ask(service, 'GET', '/api/v1/developers/me', key)).status, 200)
  assert.ok(performance.now() - after < 2500, String(performance.now() - after))
  assert.match(service.output(), /Redis is away/)
  redis?.kill('SIGCONT')
})

test('a service starts and answers without its Redis', { skip: absent }, async () => {
  await stopRedis()
  const service = await startService(env)
  const { key } = await newDeveloper()
  const { status, headers } = await ask(service, 'GET', '/api/v1/developers/me', key)
  assert.deepEqual([status, headers.get('ratelimit')], [200, '"burst";r=999999;t=0, "sustained";r=59;t=0'])
})
