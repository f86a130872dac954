import { changedOnly, isSameJson } from '../../core/json.ts'
import type { Cut } from '../../db/columns.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { CharacterRow } from './schema.ts'

/** A list shows at most this many characters of each detail. */
export const MAX_LISTED_DETAIL = 200
/** A list leaves out details that are larger than this as JSON, so that a page of 100 characters with their parts fits into one response. */
export const MAX_LISTED_DETAILS_BYTES = 4000

/** The details of a `row` in a list: texts are cut, and details that are still too large are left out. Most are short and pass as they are. */
export function cutDetails(row: Sql): Cut {
  const [maxLength, maxBytes] = [sql.number(MAX_LISTED_DETAIL), sql.number(MAX_LISTED_DETAILS_BYTES)]
  const value = sql`CASE WHEN octet_length(${row}.details::text) <= ${maxLength} THEN ${row}.details ELSE (
    SELECT CASE WHEN octet_length(cut.details::text) <= ${maxBytes} THEN cut.details ELSE '{}' END
    FROM (SELECT json_object_agg(key, left(value, ${maxLength})) AS details FROM json_each_text(${row}.details)) cut) END`
  return { value, isCut: sql`(${value})::jsonb <> ${row}.details::jsonb` }
}

/** A change as its event records it: of the details, which may be long, only those that changed. */
export function recordedChange<Change extends { before: CharacterRow; after: CharacterRow }>(change: Change): Change {
  const { before, after } = change
  if (isSameJson(before.details, after.details)) return change
  return {
    ...change,
    before: { ...before, details: changedOnly(before.details, after.details) },
    after: { ...after, details: changedOnly(after.details, before.details) },
  }
}
