import type { Cut } from '../db/columns.ts'
import { type Sql, sql } from '../db/sql.ts'

const MAX_TEXT = 500
const MAX_ELEMENTS = 100
/** The changes of one event are shown in at most this many bytes of JSON. */
export const MAX_SHOWN_BYTES = 48_000

const shownValue = (value: Sql) => sql`CASE jsonb_typeof(${value})
  WHEN 'string' THEN to_jsonb(left(${value} #>> '{}', ${sql.number(MAX_TEXT)}))
  WHEN 'array' THEN CASE WHEN jsonb_array_length(${value}) > ${sql.number(MAX_ELEMENTS)} THEN '[]' ELSE ${value} END
  ELSE ${value} END`

/**
 * Joined to the events of a `page`: their changes as lists show them. Long texts are cut and long arrays left out, in the
 * database; the stored event keeps everything. Changes that are too large even so are left out as a whole.
 */
export const shownChanges: Sql = sql`
  LEFT JOIN LATERAL (
    SELECT CASE WHEN octet_length(cut.changes::text) <= ${sql.number(MAX_SHOWN_BYTES)} THEN cut.changes ELSE '{}' END AS changes
    FROM (
      SELECT coalesce(jsonb_object_agg(key, jsonb_build_object('old', ${shownValue(sql`value->'old'`)}, 'new', ${shownValue(sql`value->'new'`)})), '{}') AS changes
      FROM jsonb_each(page.changes)
    ) cut OFFSET 0
  ) shown ON true`

export const changesCut: Cut = { value: sql`shown.changes`, isCut: sql`shown.changes <> page.changes` }

/** The sentence that the schemas of events say about it. */
export const CHANGES_CUT =
  'Whether `changes` shows less than was recorded: texts are cut after 500 characters, lists of more than 100 elements are left empty, and what still exceeds 48,000 bytes is left out'
