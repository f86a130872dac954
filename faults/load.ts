import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Write } from './client.ts'
import { type Company, newWrite } from './company.ts'

const WORKERS = 10
/** The maximum pause between two requests of a worker: this is not a load test. */
const MAX_PAUSE_MS = 20
/** One request of this many is sent twice at once, and one is repeated. */
const REPEATED_ONE_IN = 12

let count = 0
const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** The requests of a typical session. Each contains a unique text, so that an answer to another request is noticed. */
const WRITES: ((company: Company, word: string) => Write)[] = [
  (c, word) => newWrite(c, null, `${c.base}/users`, 'user', { name: word, role: 'PLAYER' }),
  (c, word) => newWrite(c, c.player, `${campaignPath(c, c.player)}/characters`, 'character', { name: word, traits: { wits: 2 } }),
  (c, word) =>
    newWrite(c, c.player, `${c.base}/users/${c.player}/dice-rolls`, 'roll', {
      pool: { traits: ['strength', 'brawl'], difficulty: 7 },
      character_id: c.character,
      comment: word,
    }),
  (c, word) => newWrite(c, c.player, `${campaignPath(c, c.player)}/experience/spends`, 'spend', { amount: 1 + (count % 3), reason: word }),
  (c, word) => newWrite(c, c.teller, `${campaignPath(c, c.teller)}/books`, 'book', { name: word }),
]
const campaignPath = ({ base, campaign }: Company, user: string) => `${base}/users/${user}/campaigns/${campaign}`

export const nextWrite = (companies: Company[]): Write => pick(WRITES)(pick(companies), `Number ${++count}`)

/** Sends one request until it is decided. Sometimes it is sent twice at once, or repeated after it was answered. */
export async function step(client: Client, companies: Company[]): Promise<void> {
  const next = nextWrite(companies)
  const chance = Math.random() * REPEATED_ONE_IN
  const confirmed = chance < 1 ? await sendTwice(client, next) : await client.send(next)
  if (confirmed && chance > REPEATED_ONE_IN - 1) await client.again(confirmed)
}

/** Sends a request twice at once: it must be done once, and both answers must be equal. */
async function sendTwice(client: Client, next: Write) {
  const [first, second] = await Promise.all([1, 2].map(() => client.send({ ...next, isDuplicate: true })))
  if (first && second) {
    client.confirmed.splice(client.confirmed.lastIndexOf(second), 1)
    if (first.text !== second.text)
      client.failures.push(`the same request got two answers: ${first.text.slice(0, 200)} and ${second.text.slice(0, 200)}`)
  }
  return first
}

/** Starts a mixed load. The returned function stops it, and waits for the requests in progress. */
export function startLoad(client: Client, companies: Company[], workers = WORKERS) {
  let isRunning = true
  const work = Array.from({ length: workers }, async () => {
    while (isRunning && !client.closed) {
      await step(client, companies)
      await sleep(Math.random() * MAX_PAUSE_MS)
    }
  })
  return async () => {
    isRunning = false
    await Promise.all(work)
  }
}
