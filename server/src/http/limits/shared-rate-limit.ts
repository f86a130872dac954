import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Policy, type Quota, quotaOf, type RateLimiter } from './rate-limit.ts'

/** Longer than a busy process takes to read the reply. */
const REPLY_TIMEOUT_MS = 1000
const RETRY_DELAY_MS = 1000
const CONNECT_TIMEOUT_MS = 1000

/**
 * GCRA over all policies of a subject at once, by the clock of Redis: takes one request from each policy, or from none. The arithmetic is that of
 * `memoryLimiter`: a bucket is stored as the instant at which it will be full again.
 */
const SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local full, open = {}, true
for i, key in ipairs(KEYS) do
  local quota, window = tonumber(ARGV[i * 2]), tonumber(ARGV[i * 2 + 1])
  full[i] = math.max(tonumber(redis.call('GET', key) or '0'), now)
  if math.floor((window - (full[i] - now)) / (window / quota) + 0.001) < 1 then open = false end
end
local reply = { open and 1 or 0, string.format('%.3f', now) }
for i, key in ipairs(KEYS) do
  if open and ARGV[1] == 'take' then
    full[i] = full[i] + tonumber(ARGV[i * 2 + 1]) / tonumber(ARGV[i * 2])
    redis.call('SET', key, string.format('%.3f', full[i]), 'PX', math.ceil(full[i] - now))
  end
  reply[i + 2] = string.format('%.3f', full[i])
end
return reply`

interface SharedLimiter extends RateLimiter {
  /** Resolves when Redis is connected, or after a timeout. */
  ready(): Promise<unknown>
  close(): void
}

/** Rate limits that all processes share, in one round trip. While Redis is unavailable, each process counts for itself and keeps serving. */
export function sharedLimiter(url: string, local: RateLimiter, onEvent: (message: string) => void): SharedLimiter {
  // Loaded only if it is used, because it takes memory and startup time.
  const { Redis } = createRequire(import.meta.url)('ioredis') as typeof import('ioredis')
  const redis = new Redis(url, {
    commandTimeout: REPLY_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 50, CONNECT_TIMEOUT_MS),
  })
  redis.defineCommand('limit', { lua: SCRIPT })
  let isUnavailable = false
  let retryAt = 0
  let isAsking = false
  const setUnavailable = (value: boolean) => {
    if (value !== isUnavailable)
      onEvent(value ? 'Redis is unavailable: each process counts its own rate limits' : 'Redis is available: rate limits are shared again')
    isUnavailable = value
  }
  redis.on('error', () => setUnavailable(true))
  redis.on('ready', () => {
    isAsking = false
    setUnavailable(false)
  })

  async function ask(act: 'take' | 'read', subject: string, policies: Policy[]) {
    // While Redis is unavailable, one request at a time tries it again, and the others do not wait.
    if (isUnavailable && (isAsking || performance.now() < retryAt)) return undefined
    isAsking = true
    const keys = policies.map(({ name }) => `guildhall:{${subject}}:${name}`)
    const shape = policies.flatMap(({ quota, window }) => [quota, window * 1000])
    const command = redis as unknown as { limit(keys: number, ...args: (string | number)[]): Promise<[number, ...string[]]> }
    const reply = await command.limit(keys.length, ...keys, act, ...shape).catch(() => undefined)
    isAsking = false
    setUnavailable(reply === undefined)
    if (!reply) {
      retryAt = performance.now() + RETRY_DELAY_MS
      return undefined
    }
    const [open, now, ...full] = reply
    const quotas = policies.map((policy, i): Quota => quotaOf(policy, Number(full[i]), Number(now)))
    return { allowed: open === 1, quotas }
  }

  return {
    take: async (subject, policies) => (await ask('take', subject, policies)) ?? local.take(subject, policies),
    remaining: async (subject, policies) => (await ask('read', subject, policies))?.quotas ?? local.remaining(subject, policies),
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : Promise.race([once(redis, 'ready').catch(() => {}), sleep(CONNECT_TIMEOUT_MS, undefined, { ref: false })]),
    close: () => redis.disconnect(),
  }
}
