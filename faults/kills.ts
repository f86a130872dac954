import { setTimeout as sleep } from 'node:timers/promises'
import { stop } from '../bench/parts.ts'
import type { Instance } from './deployment.ts'
import type { Stage } from './perform.ts'

const MAX_PAUSE_BETWEEN_KILLS_MS = 300

export const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Kills random processes until there were enough kills or the time is over. One of them runs at any time. Returns the number of kills. */
export async function killAll(
  instances: Instance[],
  { deployment }: Pick<Stage, 'deployment'>,
  kills: number,
  maxMs: number,
): Promise<number> {
  const end = Date.now() + maxMs
  const starting = new Map<Instance, Promise<void>>()
  let done = 0
  while (done < kills && Date.now() < end) {
    await sleep(Math.random() * MAX_PAUSE_BETWEEN_KILLS_MS)
    while (starting.size > instances.length - 2) await Promise.race(starting.values())
    const instance = pick(instances.filter((one) => !starting.has(one)))
    await stop(instance.child, 'SIGKILL')
    done++
    const restarted = deployment.restart(instance).then(() => void starting.delete(instance))
    starting.set(instance, restarted)
  }
  await Promise.all(starting.values())
  return done
}
