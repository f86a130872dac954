import type { Database, Tx } from '../src/db/client.ts'
import { compile, type Sql } from '../src/db/sql.ts'
import { db, newApp } from './harness.ts'

interface Recorded {
  text: string
  values: unknown[]
}

/** The statements that the recorded app has sent, except BEGIN and COMMIT. */
const statements: Recorded[] = []

/** The statements whose results the recorded app has awaited. */
const awaited: string[] = []

/** Statements that the service runs in the background, whatever the request, or once in a process: it reads the key of cursors with the first one. */
const BACKGROUND =
  /^SELECT cursor_key FROM feed_state$|^\s*(SELECT id FROM|UPDATE) (api_keys|user_tokens)\b|^SELECT company_id, last FROM feed_heads WHERE company_id = ANY|WHERE (company_id|k\.id|id) = ANY \(\$1::uuid\[\]\)( AND id = ANY \(\$2::uuid\[\]\))?( AND date_archived IS NULL)?$/

const recorded = <D extends object>(target: D): D =>
  new Proxy(target, {
    get: (object, name, self) => {
      const member = Reflect.get(object, name, self)
      if (name === 'query' || name === 'send') {
        return (query: Sql, ...more: unknown[]) => {
          const { text, values } = compile(query)
          if (!BACKGROUND.test(text)) statements.push({ text, values })
          if (name === 'query') awaited.push(text)
          return (member as (query: Sql, ...more: unknown[]) => unknown)(query, ...more)
        }
      }
      if (name === 'longReads') return recorded(member as object)
      if (name !== 'transaction') return member
      return (work: (tx: Tx) => Promise<unknown>) => (member as Database['transaction'])((tx) => work(recorded(tx)))
    },
  })

/** An app on the database of this test file whose statements are recorded. */
export const recordedApp = await newApp({}, undefined, recorded(db))

/** Returns the answer to a request and the statements that it took. */
export async function statementsOf<T>(
  request: () => Promise<T>,
): Promise<{ answer: T; sent: string[]; awaited: string[]; withValues: Recorded[] }> {
  statements.length = 0
  awaited.length = 0
  const answer = await request()
  return { answer, sent: statements.map(({ text }) => text), awaited: [...awaited], withValues: [...statements] }
}
