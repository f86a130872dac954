import type { Cut } from '../db/columns.ts'
import { type Sql, sql } from '../db/sql.ts'

const MAX_TEXT_LENGTH = 500
const MAX_ELEMENTS = 100
/** The maximum size of the changes of one event in a list, in bytes of JSON. */
export const MAX_SHOWN_BYTES = 48_000

const shownText = (value: Sql) => sql`to_jsonb(left(${value} #>> '{}', ${sql.number(MAX_TEXT_LENGTH)}))`

const shownValue = (value: Sql) => sql`CASE jsonb_typeof(${value})
  WHEN 'string' THEN ${shownText(value)}
  WHEN 'object' THEN (SELECT coalesce(jsonb_object_agg(name, CASE jsonb_typeof(field) WHEN 'string' THEN ${shownText(sql`field`)} ELSE field END), '{}')
    FROM jsonb_each(${value}) AS fields (name, field))
  WHEN 'array' THEN CASE WHEN jsonb_array_length(${value}) > ${sql.number(MAX_ELEMENTS)} THEN '[]' ELSE ${value} END
  ELSE ${value} END`

/**
 * Joins the changes of the events of a `page` in their listed form. Long texts are cut and long arrays are left empty, in the database; the
 * stored event keeps everything. Changes that are still too large are left out.
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

/** The description of `truncated` in the schemas of events. */
export const CHANGES_CUT =
  'True if `changes` is shortened: texts are cut after 500 characters, lists of more than 100 elements are left empty, and changes that still exceed 48,000 bytes are left out'
