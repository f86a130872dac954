import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@guildhall/rules/type'
import type { Db } from './client.ts'
import { numbered } from './numbered.ts'
import { compile, type Sql, sql } from './sql.ts'
import { table } from './table.ts'

const id = Type.String()
const lamps = table('lamps', Type.Object({ id, company_id: id, date_archived: Type.Union([Type.String(), Type.Null()]) }), { noun: 'Lamp' })
const keys = table('keys', Type.Object({ id }), { noun: 'Key' })
const pages = numbered('pages', Type.Object({ id, company_id: id, book_id: id }), {
  noun: 'Page',
  texts: [],
  parent: { table: 'books', column: 'book_id' },
  partOf: { books: 'book_id' },
})

/** A database that keeps the text of the last statement and finds nothing. */
const last = { text: '' }
const db: Db = {
  query: async (query: Sql) => {
    last.text = compile(query).text
    return []
  },
  now: () => new Date(0),
  newId: () => '',
}
const listed = (archived?: boolean) => ({ limit: 10, offset: 0, ...(archived !== undefined && { archived }) })
const textOf = async (list: Promise<unknown>) => {
  await list
  return last.text
}

test('with archived=true a list has only the rows that the caller may restore', async () => {
  const lists = [
    (archived: boolean | undefined, restorable: boolean | Sql) => lamps.list(db, { company_id: 'c' }, listed(archived), { restorable }),
    (archived: boolean | undefined, restorable: boolean | Sql) =>
      pages.list(db, { company_id: 'c', parent_id: 'b' }, listed(archived), { restorable }),
  ]
  for (const list of lists) {
    const all = await textOf(list(true, true))
    assert.match(all, /date_archived IS NOT NULL/)
    assert.doesNotMatch(all, /\bfalse\b|mine/)
    assert.match(await textOf(list(true, false)), /date_archived IS NOT NULL.* false /s)
    assert.match(await textOf(list(true, sql`mine OR ours`)), /date_archived IS NOT NULL.* \(mine OR ours\) /s)
    const live = await textOf(list(undefined, true))
    assert.match(live, /date_archived IS NULL/)
    for (const restorable of [false, sql`mine`])
      for (const archived of [undefined, false]) assert.equal(await textOf(list(archived, restorable)), live, 'live rows are for all')
  }
})

test('a list of rows that can be archived must say which ones the caller may restore', async () => {
  // @ts-expect-error `restorable` is missing.
  const forgotten = () => lamps.list(db, { company_id: 'c' }, listed())
  // @ts-expect-error So it is here.
  const forgottenToo = () => lamps.list(db, { company_id: 'c' }, listed(), { where: [sql`true`] })
  await Promise.all([forgotten(), forgottenToo(), keys.list(db, {}, listed()), keys.list(db, {}, listed(), { where: [sql`true`] })])
})
