import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newDeveloper, url } from './harness.ts'
import { ask, newFolder, type Service, startService } from './service.ts'
import { missing, REDIS } from './third-party.ts'
import { until } from './until.ts'

const skip = missing(REDIS)
const socket = join(newFolder(), '..', 'redis.sock')
let redis: ChildProcess | undefined

async function startRedis() {
  const folder = join(socket, '..')
  redis = spawn(REDIS, ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', folder], { stdio: 'ignore' })
  await until(() => existsSync(socket), 'Redis')
}
async function stopRedis() {
  const exited = new Promise((resolve) => redis?.once('exit', resolve))
  redis?.kill('SIGKILL')
  await exited
}
after(() => redis?.kill('SIGKILL'))

const limits = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000000', RATE_LIMIT_SUSTAINED: '60', RATE_LIMIT_AUTH: '5' }
const env = { DATABASE_URL: url, REDIS_URL: socket, ...limits }

test('two processes share the limits, count alone while Redis is unavailable, and share again afterwards', { skip }, async (t) => {
  await startRedis()
  const services = (await Promise.all([startService(env), startService(env)])) as [Service, Service]
  /** Sends requests at once. For as long as they take, a limit of 60 in a minute refills by one each second. */
  const sendAtOnce = async (key: string, count: number) => {
    const startedAt = performance.now()
    const replies = await Promise.all(
      Array.from({ length: count }, (_, i) => ask(services[i % 2] as Service, 'GET', '/api/v1/developers/me', key)),
    )
    const refilled = Math.ceil((performance.now() - startedAt) / 1000)
    const answers = replies.map(({ status, headers }) => ({
      status,
      rateLimit: headers.get('ratelimit'),
      retryAfter: headers.get('retry-after'),
    }))
    return { answers, refilled }
  }
  const countAllowed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length

  const { key } = await newDeveloper()
  const { answers, refilled } = await sendAtOnce(key, 300)
  t.diagnostic(
    `of 300 concurrent requests to two processes ${countAllowed(answers)} are allowed, by a limit of 60 with ${refilled} refilled`,
  )
  assert.ok(countAllowed(answers) >= 60 && countAllowed(answers) <= 60 + refilled, String(countAllowed(answers)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 429]))
  for (const { status, rateLimit, retryAfter } of answers) {
    assert.match(rateLimit ?? '', /^"burst";r=\d+;t=0, "sustained";r=\d+;t=\d+$/)
    if (status === 429) assert.equal(retryAfter, '1')
  }
  const remainders = answers
    .filter(({ status }) => status === 200)
    .map(({ rateLimit }) => Number(/sustained";r=(\d+)/.exec(rateLimit ?? '')?.[1]))
  assert.ok(new Set(remainders).size >= 58, 'each answer has another remainder')

  await stopRedis()
  const { key: second } = await newDeveloper()
  const alone = await sendAtOnce(second, 200)
  const allowed = countAllowed(alone.answers)
  assert.ok(allowed >= 120 && allowed <= 120 + 2 * alone.refilled, `each process allows 60 by itself: ${allowed}`)
  assert.deepEqual(new Set(alone.answers.map(({ status }) => status)), new Set([200, 429]))

  await startRedis()
  const isShared = ({ output }: Service) => /Redis is unavailable[\s\S]*Redis is available/.test(output())
  await until(() => services.every(isShared), 'the processes to find Redis')
  const { key: third } = await newDeveloper()
  const together = await sendAtOnce(third, 200)
  const shared = countAllowed(together.answers)
  assert.ok(shared >= 60 && shared <= 60 + together.refilled, `shared again: ${shared}`)
})

test('failed authentication is counted over both processes, and a valid key is always accepted', { skip }, async () => {
  await stopRedis()
  await startRedis()
  const services = (await Promise.all([startService(env), startService(env)])) as [Service, Service]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => ask(services[i % 2] as Service, 'GET', '/api/v1/developers/me', 'glh_nonsense')),
  )
  const unauthorized = answers.filter(({ status }) => status === 401).length
  assert.ok(unauthorized >= 5 && unauthorized <= 6, String(unauthorized))
  const { key } = await newDeveloper()
  assert.equal((await ask(services[0], 'GET', '/api/v1/developers/me', key)).status, 200)
})

test('a Redis that hangs delays one request for a second, and no health check', { skip }, async () => {
  await stopRedis()
  await startRedis()
  const service = await startService(env)
  const { key } = await newDeveloper()
  assert.equal((await ask(service, 'GET', '/api/v1/developers/me', key)).status, 200)
  redis?.kill('SIGSTOP')
  const order: string[] = []
  const asked = ask(service, 'GET', '/api/v1/developers/me', key).finally(() => order.push('request'))
  assert.equal((await ask(service, 'GET', '/health/live', '')).status, 200)
  order.push('health')
  assert.equal((await asked).status, 200)
  assert.deepEqual(order, ['health', 'request'])
  for (let i = 0; i < 10; i++) assert.equal((await ask(service, 'GET', '/api/v1/developers/me', key)).status, 200)
  assert.match(service.output(), /Redis is unavailable/)
  redis?.kill('SIGCONT')
})

test('the service starts and answers while Redis is unavailable', { skip }, async () => {
  await stopRedis()
  const service = await startService(env)
  const { key } = await newDeveloper()
  const { status, headers } = await ask(service, 'GET', '/api/v1/developers/me', key)
  assert.deepEqual([status, headers.get('ratelimit')], [200, '"burst";r=999999;t=0, "sustained";r=59;t=0'])
})
