import type { Database } from '../src/db/client.ts'
import { compile, type Sql } from '../src/db/sql.ts'
import { db } from './harness.ts'

/** The statement that reads the notes of a page of changes. */
export const NOTES_BY_ID = /FROM "notes" x\s+WHERE x.company_id = \$\d+ AND x.id = ANY \(\$\d+::uuid\[\]\) AND /
/** The statement that reads the invites of a page, for the storytellers of their campaigns. */
export const INVITES_BY_ID = /FROM invites x\s+WHERE .* AND x.id = ANY /
/** The statement that reads the books of a page. */
export const BOOKS_BY_ID = /FROM "books" x\s+WHERE /
/** The statement that reads positions of a feed with their events. */
export const FEED = /FROM feed WHERE company_id = \$\d+ AND position >= /

/** A database that does something before the next statement that fits, once: what happens then, another process may do at this moment. */
export function pausedDb() {
  let next: { pattern: RegExp; act: () => Promise<unknown> } | undefined
  const paused: Database = new Proxy(db, {
    get: (object, name, self) =>
      name !== 'query'
        ? Reflect.get(object, name, self)
        : async (statement: Sql) => {
            if (next?.pattern.test(compile(statement).text)) {
              const { act } = next
              next = undefined
              await act()
            }
            return object.query(statement)
          },
  })
  /** Resolves after it was done. */
  const before = (pattern: RegExp, act: () => Promise<unknown>) =>
    new Promise<void>((resolve) => {
      next = { pattern, act: () => act().finally(resolve) }
    })
  return { db: paused, before }
}
