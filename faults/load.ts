import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Wish } from './client.ts'
import { type Company, wish } from './company.ts'

const WORKERS = 10
/** Between two requests of a worker, at most: the machine is not what is tried. */
const PAUSE = 20
const ONE_IN = 12

let count = 0
const pick = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** What a busy evening asks for. Each says something of its own, so that an answer to another would be seen. */
const WISHES: ((company: Company, word: string) => Wish)[] = [
  (c, word) => wish(c, null, `${c.base}/users`, 'user', { name: word, role: 'PLAYER' }),
  (c, word) => wish(c, c.player, `${at(c, c.player)}/characters`, 'character', { name: word, traits: { wits: 2 } }),
  (c, word) =>
    wish(c, c.player, `${c.base}/users/${c.player}/dice-rolls`, 'roll', {
      pool: { traits: ['strength', 'brawl'], difficulty: 7 },
      character_id: c.character,
      comment: word,
    }),
  (c, word) => wish(c, c.player, `${at(c, c.player)}/experience/spends`, 'spend', { amount: 1 + (count % 3), reason: word }),
  (c, word) => wish(c, c.teller, `${at(c, c.teller)}/books`, 'book', { name: word }),
]
const at = ({ base, campaign }: Company, user: string) => `${base}/users/${user}/campaigns/${campaign}`

export const nextWish = (companies: Company[]): Wish => pick(WISHES)(pick(companies), `Number ${++count}`)

/** One request that is decided; now and then it is sent twice at once, or again when it was answered. */
export async function step(client: Client, companies: Company[]): Promise<void> {
  const next = nextWish(companies)
  const chance = Math.random() * ONE_IN
  const told = chance < 1 ? await twins(client, next) : await client.send(next)
  if (told && chance > ONE_IN - 1) await client.again(told)
}

/** Both processes are asked at once: one does it, and what the other says must be the same. */
async function twins(client: Client, next: Wish) {
  const [told, twin] = await Promise.all([1, 2].map(() => client.send({ ...next, twin: true })))
  if (told && twin) {
    client.told.splice(client.told.lastIndexOf(twin), 1)
    if (told.text !== twin.text) client.amiss.push(`twins were told two things: ${told.text.slice(0, 200)} and ${twin.text.slice(0, 200)}`)
  }
  return told
}

/** Mixed load until it is told to stop; then what was begun is finished. */
export function startLoad(client: Client, companies: Company[], workers = WORKERS) {
  let going = true
  const work = Array.from({ length: workers }, async () => {
    while (going && !client.closed) {
      await step(client, companies)
      await sleep(Math.random() * PAUSE)
    }
  })
  return async () => {
    going = false
    await Promise.all(work)
  }
}
