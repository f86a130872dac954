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
import { answered } from './slow-clients.ts'

const AWAY = 2000
const BACK_WITHIN = 15_000
/** Limits are kept, and never reached. */
const LIMITS = { RATE_LIMIT: 'on', RATE_LIMIT_BURST: '1000000', RATE_LIMIT_SUSTAINED: '60000000', RATE_LIMIT_AUTH: '1000000' }

async function startRedis(socket: string): Promise<ChildProcess> {
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', socket, '--save', '', '--dir', join(socket, '..')], {
    stdio: 'ignore',
  })
  process.once('exit', () => child.kill('SIGKILL'))
  for (const end = Date.now() + 10_000; !existsSync(socket); await sleep(10)) if (Date.now() > end) throw new Error('Redis does not start')
  return child
}

async function kill(redis: ChildProcess): Promise<void> {
  const gone = once(redis, 'exit')
  redis.kill('SIGKILL')
  await gone
}

/** Whether the processes count there again. */
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

export const redisAway: Scenario = {
  name: 'Redis away and back',
  forbidden: () => (spawnSync('redis-server', ['--version']).error ? 'redis-server is not installed' : undefined),
  run: async ({ house, client, companies, quick, amiss }) => {
    const folder = mkdtempSync(join(tmpdir(), 'guildhall-redis-'))
    const socket = join(folder, 'redis.sock')
    const startAll = async (env: Record<string, string>) => {
      await Promise.all(house.services.map(({ child }) => stop(child)))
      await Promise.all(house.services.map((serving) => house.restart(serving, env)))
    }
    const untilUsed = async (again: string) => {
      for (const end = Date.now() + BACK_WITHIN; Date.now() < end; await sleep(50)) if (await isUsed(socket)) return
      amiss(`the limits were not kept in Redis${again} within ${BACK_WITHIN / 1000} s`)
    }
    let redis = await startRedis(socket)
    await startAll({ REDIS_URL: socket, ...LIMITS })
    client.onTry = answered(amiss)
    const finish = startLoad(client, companies)
    const times = quick ? 1 : 5
    for (let i = 0; i < times; i++) {
      await untilUsed('')
      await kill(redis)
      await sleep(AWAY)
      redis = await startRedis(socket)
      await untilUsed(' again')
    }
    await finish()
    client.onTry = () => {}
    await startAll({})
    await kill(redis)
    rmSync(folder, { recursive: true, force: true })
    return `${times} times for ${AWAY / 1000} s`
  },
}
