import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { stop } from '../../bench/parts.ts'
import { startLoad } from '../load.ts'
import type { Scenario } from '../perform.ts'
import { failUnlessCreated } from './slow-clients.ts'

const OUTAGE_MS = 2000
const MAX_RECOVERY_MS = 15_000
/** Limits are counted, but never reached. */
const LIMITS = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000000', RATE_LIMIT_SUSTAINED: '60000000', RATE_LIMIT_AUTH: '1000000' }

async function startRedis(socket: string): Promise<ChildProcess> {
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', join(socket, '..')], {
    stdio: 'ignore',
  })
  process.once('exit', () => child.kill('SIGKILL'))
  for (const end = Date.now() + 10_000; !existsSync(socket); await sleep(10))
    if (Date.now() > end) throw new Error('Redis did not start within 10 s')
  return child
}

async function kill(redis: ChildProcess): Promise<void> {
  const ended = once(redis, 'exit')
  redis.kill('SIGKILL')
  await ended
}

/** Returns true if the processes count their limits in Redis. */
async function isUsed(socket: string): Promise<boolean> {
  const redis = new Redis(socket, { lazyConnect: true, retryStrategy: () => null }).on('error', () => {})
  try {
    await redis.connect()
    return (await redis.dbsize()) > 0
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

export const redisOutage: Scenario = {
  name: 'Redis outage',
  forbidden: () => (spawnSync('redis-server', ['--version']).error ? 'redis-server is not installed' : undefined),
  run: async ({ deployment, client, companies, quick, fail }) => {
    const folder = mkdtempSync(join(tmpdir(), 'guildhall-redis-'))
    const socket = join(folder, 'redis.sock')
    const startAll = async (env: Record<string, string>) => {
      await Promise.all(deployment.services.map(({ child }) => stop(child)))
      await Promise.all(deployment.services.map((instance) => deployment.restart(instance, env)))
    }
    const untilUsed = async (again: string) => {
      for (const end = Date.now() + MAX_RECOVERY_MS; Date.now() < end; await sleep(50)) if (await isUsed(socket)) return
      fail(`the limits were not counted in Redis${again} within ${MAX_RECOVERY_MS / 1000} s`)
    }
    let redis = await startRedis(socket)
    await startAll({ REDIS_URL: socket, ...LIMITS })
    client.onTry = failUnlessCreated(fail)
    const finish = startLoad(client, companies)
    const times = quick ? 1 : 5
    for (let i = 0; i < times; i++) {
      await untilUsed('')
      await kill(redis)
      await sleep(OUTAGE_MS)
      redis = await startRedis(socket)
      await untilUsed(' again')
    }
    await finish()
    client.onTry = () => {}
    await startAll({})
    await kill(redis)
    rmSync(folder, { recursive: true, force: true })
    return `${times} times for ${OUTAGE_MS / 1000} s`
  },
}
