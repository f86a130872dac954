import { type Sql, sql } from '../../db/sql.ts'
import { MAX_COUNTED_SIDES } from './tally.ts'
import { COUNTED, DAILY } from './tally-counts.ts'

const names = (columns: readonly string[]) => sql.join(columns.map(sql.id), ', ')

const isCounted = sql`source = 'SERVER' AND NOT voided`

/** Numbers of rolls and of their outcomes: the columns of DAILY, which a tally has in total and for each day, and those of MANUAL. */
const countsOf = (condition: Sql) =>
  sql.join(
    [sql`true`, ...['BOTCH', 'FAILURE', 'SUCCESS', 'CRITICAL'].map((outcome) => sql`outcome = ${sql.text(outcome)}`)].map(
      (isOne) => sql`count(*) FILTER (WHERE ${condition} AND ${isOne})`,
    ),
    ', ',
  )
const dailyCounts = countsOf(isCounted)
const naturals = (flag: 'natural_max' | 'natural_min') => sql`coalesce(sum(${sql.id(flag)}) FILTER (WHERE ${isCounted}), 0)`
const naturalsIn = (flag: 'natural_max' | 'natural_min') =>
  sql`jsonb_array_length(jsonb_path_query_array(r.dice, ${sql.text(`$[*] ? (@.flags[*] == "${flag}")`)})) AS ${sql.id(flag)}`

/** Selects every roll twice, once for each of the two tallies that tally.ts adds it to, with ids derived from the same values. */
const rolled = sql`(
  SELECT r.company_id, r.id, r.visibility, r.outcome, r.pool, r.dice, r.notation, r.date_created, r.source,
    r.date_voided IS NOT NULL AS voided, r.values, ${naturalsIn('natural_max')}, ${naturalsIn('natural_min')},
    CASE WHEN own THEN r.campaign_id END AS campaign_id, CASE WHEN own THEN r.character_id END AS character_id,
    CASE WHEN own THEN r.user_id END AS user_id,
    encode(substring(sha256(convert_to(concat_ws(':', CASE WHEN own THEN concat(r.campaign_id, ':', r.character_id, ':', r.user_id)
      ELSE right(coalesce(r.campaign_id, r.user_id)::text, 1) END, r.visibility), 'UTF8')) FOR 16), 'hex')::uuid AS tally_id
  FROM dice_rolls r CROSS JOIN (VALUES (true), (false)) AS tally (own)) rolled`

/**
 * Rebuilds the tallies of all rolls, in one transaction, while no process writes rolls. A voided roll has the rows that it had before, and
 * does not count in them.
 */
export const rebuildTallies: Sql[] = [
  ...['tally_queue', 'dice_days', 'dice_faces', 'dice_traits', 'dice_tallies'].map((table) => sql`DELETE FROM ${sql.id(table)}`),
  sql`
    INSERT INTO dice_tallies (company_id, id, campaign_id, character_id, user_id, visibility, ${names(COUNTED)})
    SELECT company_id, tally_id, campaign_id, character_id, user_id, visibility, ${dailyCounts},
      count(pool) FILTER (WHERE ${isCounted}), coalesce(sum(jsonb_array_length(dice)) FILTER (WHERE ${isCounted} AND pool IS NOT NULL), 0),
      count((pool->>'difficulty')::bigint) FILTER (WHERE ${isCounted}), coalesce(sum((pool->>'difficulty')::bigint) FILTER (WHERE ${isCounted}), 0),
      ${naturals('natural_max')}, ${naturals('natural_min')}, ${countsOf(sql`source = 'MANUAL' AND NOT voided`)}, count(*) FILTER (WHERE voided)
    FROM ${rolled} GROUP BY company_id, tally_id, campaign_id, character_id, user_id, visibility`,
  sql`
    INSERT INTO dice_days (company_id, tally_id, day, ${names(DAILY)})
    SELECT company_id, tally_id, (date_created AT TIME ZONE 'UTC')::date, ${dailyCounts} FROM ${rolled} GROUP BY 1, 2, 3`,
  // A Fudge die has three faces, shown as -1 to 1. If it shows 1, only the notation distinguishes it from a d3; a roll of both counts it as a d3.
  sql`
    INSERT INTO dice_faces (company_id, tally_id, sides, faces)
    WITH die AS (
      SELECT company_id, tally_id, notation, (die->>'sides')::int AS sides, (die->>'value')::int AS value, voided
      FROM ${rolled} CROSS JOIN jsonb_array_elements(dice) die
      WHERE source = 'SERVER' AND (die->>'sides')::int <= ${sql.number(MAX_COUNTED_SIDES)}
    ), seen AS (
      SELECT company_id, tally_id, sides, count(*) FILTER (WHERE NOT voided) AS n,
        CASE WHEN sides = 3 AND notation ~* 'df' AND (value < 1 OR notation !~* 'd3([^0-9]|$)') THEN value + 2 ELSE value END AS face
      FROM die GROUP BY company_id, tally_id, sides, face
    )
    SELECT company_id, tally_id, sides, array_agg(coalesce(n, 0) ORDER BY face)
    FROM (SELECT DISTINCT company_id, tally_id, sides FROM die) size
    CROSS JOIN LATERAL generate_series(1, sides) face
    LEFT JOIN seen USING (company_id, tally_id, sides, face)
    GROUP BY 1, 2, 3`,
  sql`
    INSERT INTO dice_traits (company_id, tally_id, trait, rolls)
    SELECT company_id, tally_id, trait->>'name', count(DISTINCT id) FILTER (WHERE NOT voided)
    FROM ${rolled} CROSS JOIN jsonb_array_elements(CASE WHEN values = '[]' THEN coalesce(pool->'traits', '[]') ELSE values END) trait
    WHERE source = 'SERVER' AND (values = '[]' OR trait->>'source' = 'TRAIT') AND (pool IS NULL OR (trait->>'value')::int > 0) GROUP BY 1, 2, 3`,
]
