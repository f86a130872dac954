import type { Database, Tx } from '../src/db/client.ts'
import { compile, type Sql } from '../src/db/sql.ts'
import { db, newApp } from './harness.ts'

/** Every statement asked of the recorded app's database, but for BEGIN and COMMIT. */
export const statements: string[] = []

/** Those whose answer was waited for. */
const awaited: string[] = []

/** What a service does by itself, whoever asks meanwhile. */
const UPKEEP = /^\s*(SELECT id FROM|UPDATE) api_keys\b/

const recorded = <D extends object>(target: D): D =>
  new Proxy(target, {
    get: (object, name, self) => {
      const member = Reflect.get(object, name, self)
      if (name === 'query' || name === 'send') {
        return (query: Sql, ...more: unknown[]) => {
          const { text } = compile(query)
          if (!UPKEEP.test(text)) statements.push(text)
          if (name === 'query') awaited.push(text)
          return (member as (query: Sql, ...more: unknown[]) => unknown)(query, ...more)
        }
      }
      if (name === 'longReads') return recorded(member as object)
      if (name !== 'transaction') return member
      return (work: (tx: Tx) => Promise<unknown>) => (member as Database['transaction'])((tx) => work(recorded(tx)))
    },
  })

/** An app on this file's database that tells what it asks of it. */
export const recordedApp = await newApp({}, undefined, recorded(db))

/** The statements that an answer took. */
export async function statementsOf<T>(ask: () => Promise<T>): Promise<{ answer: T; asked: string[]; waitedFor: string[] }> {
  statements.length = 0
  awaited.length = 0
  const answer = await ask()
  return { answer, asked: [...statements], waitedFor: [...awaited] }
}
