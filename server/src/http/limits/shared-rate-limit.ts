import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Policy, RateLimiter, Standing } from './rate-limit.ts'
import { standing } from './rate-limit.ts'

/** Longer than a busy process takes to hear the answer. A Redis that is silent for so long is not asked again at once. */
const ANSWERS_WITHIN = 1000
const ASKED_AGAIN_AFTER = 1000
const RECONNECTS_WITHIN = 1000

/**
 * GCRA over all policies of a subject at once, by the clock of Redis: takes one of each, or of none. The same arithmetic as in
 * memory; what is kept of a bucket is the instant at which it will be full again.
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

export interface SharedLimiter extends RateLimiter {
  /** Once it is connected, or was waited for long enough. */
  ready(): Promise<unknown>
  close(): void
}

/** Limits that all processes share, in one round trip. While Redis is away each process keeps to its own, and nobody is refused for that. */
export function sharedLimiter(url: string, local: RateLimiter, onEvent: (message: string) => void): SharedLimiter {
  // Loaded only here: where there is no Redis, it would only take memory and time at the start.
  const { Redis } = createRequire(import.meta.url)('ioredis') as typeof import('ioredis')
  const redis = new Redis(url, {
    commandTimeout: ANSWERS_WITHIN,
    connectTimeout: RECONNECTS_WITHIN,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(times * 50, RECONNECTS_WITHIN),
  })
  redis.defineCommand('limit', { lua: SCRIPT })
  let away = false
  let askAgainAt = 0
  let asking = false
  const tell = (now: boolean) => {
    if (now !== away) onEvent(now ? 'Redis is away: each process keeps limits of its own' : 'Redis is back: limits are shared again')
    away = now
  }
  redis.on('error', () => tell(true))
  redis.on('ready', () => {
    asking = false
    tell(false)
  })

  async function ask(act: 'take' | 'look', subject: string, policies: Policy[]) {
    // While it is away one request finds out whether it is back, and the others do not wait for that.
    if (away && (asking || performance.now() < askAgainAt)) return undefined
    asking = true
    const keys = policies.map(({ name }) => `guildhall:{${subject}}:${name}`)
    const shape = policies.flatMap(({ quota, window }) => [quota, window * 1000])
    const command = redis as unknown as { limit(keys: number, ...args: (string | number)[]): Promise<[number, ...string[]]> }
    const reply = await command.limit(keys.length, ...keys, act, ...shape).catch(() => undefined)
    asking = false
    tell(reply === undefined)
    if (!reply) {
      askAgainAt = performance.now() + ASKED_AGAIN_AFTER
      return undefined
    }
    const [open, now, ...full] = reply
    const standings = policies.map((policy, i): Standing => standing(policy, Number(full[i]), Number(now)))
    return { allowed: open === 1, standings }
  }

  return {
    take: async (subject, policies) => (await ask('take', subject, policies)) ?? local.take(subject, policies),
    look: async (subject, policies) => (await ask('look', subject, policies))?.standings ?? local.look(subject, policies),
    ready: () =>
      redis.status === 'ready'
        ? Promise.resolve()
        : Promise.race([once(redis, 'ready').catch(() => {}), sleep(RECONNECTS_WITHIN, undefined, { ref: false })]),
    close: () => redis.disconnect(),
  }
}
