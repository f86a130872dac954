import { OUTCOMES, type Outcome } from '@guildhall/dice/pool'
import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor, Caller } from '../../http/caller.ts'
import { viewerOf } from '../campaigns/across.ts'
import { visibleTallies, visibleTalliesWhere } from '../dice-rolls/seen.ts'
import { COUNTED_AS } from '../dice-rolls/tally.ts'
import { COUNTED, type Counts, DAILY } from '../dice-rolls/tally-counts.ts'
import { chiSquare, daysUntil, mean, percentages } from './rules.ts'
import { DAY_COUNT, MAX_TRAITS, type Statistics } from './schema.ts'

interface TallySums {
  counts: Counts
  faces: { sides: number; observed: number[] }[] | null
  traits: { name: string; rolls: number }[] | null
  days: ({ date: string } & Pick<Counts, (typeof DAILY)[number]>)[] | null
}

const signedSums = (counted: readonly string[]) =>
  sql.join(
    counted.map((name) => sql`coalesce(sum(sign * t.${sql.id(name)}), 0) AS ${sql.id(name)}`),
    ', ',
  )

const dailyOf = (row: Sql) =>
  sql.join(
    DAILY.map((name) => sql`${row}.${sql.id(name)}`),
    ', ',
  )

function outcomesOf(countOf: (outcome: Outcome) => number): Statistics['outcomes'] {
  const shares = percentages(OUTCOMES.map(countOf))
  return OUTCOMES.map((outcome, i) => ({ outcome, rolls: countOf(outcome), percent: shares[i] as number }))
}

/** Adds up tallies in one statement, so that all numbers are from the same snapshot. The sign of a tally says if it is added or subtracted. */
async function statisticsOf(db: Db, company_id: string, tallies: Sql): Promise<Statistics> {
  const dates = daysUntil(db.now(), DAY_COUNT)
  // OFFSET 0 is an optimization fence: without it, the plan begins with all rows of the company instead of those of each tally.
  const stored = (table: string, condition = sql``) =>
    sql`CROSS JOIN LATERAL (SELECT * FROM ${sql.id(table)} x WHERE x.company_id = ${company_id} AND x.tally_id = tally.id ${condition} OFFSET 0) t WHERE tally.day IS NULL`
  const isRecent = (row: Sql) => sql`${row}.day >= ${dates[0]}::date`
  const [sums] = await db.query<TallySums>(sql`
    WITH tally AS MATERIALIZED (${tallies})
    SELECT (SELECT to_json(x) FROM (SELECT ${signedSums(COUNTED)} FROM tally t) x) AS counts,
      (SELECT json_agg(x ORDER BY x.sides) FROM (
        SELECT sides, json_agg(n ORDER BY face) AS observed FROM (
          SELECT sides, face, sum(sign * fallen) AS n FROM (
            SELECT sign, t.sides, t.faces FROM tally ${stored('dice_faces')} AND sign <> 0
            UNION ALL SELECT sign, t.sides, t.faces FROM tally CROSS JOIN jsonb_to_recordset(tally.faces) AS t (sides integer, faces bigint[]) WHERE sign <> 0
          ) fallen CROSS JOIN unnest(faces) WITH ORDINALITY AS f (fallen, face) GROUP BY sides, face) y
        GROUP BY sides HAVING sum(n) > 0) x) AS faces,
      (SELECT json_agg(x ORDER BY x.rolls DESC, x.name) FROM (
        SELECT name, sum(counted) AS rolls FROM (
          SELECT t.trait AS name, trait_sign * t.rolls AS counted FROM tally ${stored('dice_traits')} AND trait_sign <> 0
          UNION ALL SELECT t.key COLLATE "C", trait_sign * t.value::bigint FROM tally CROSS JOIN jsonb_each_text(tally.traits) t WHERE trait_sign <> 0
        ) used GROUP BY name HAVING sum(counted) > 0 ORDER BY rolls DESC, name LIMIT ${MAX_TRAITS}) x) AS traits,
      (SELECT json_agg(x) FROM (
        SELECT t.day AS date, ${signedSums(DAILY)} FROM (
          SELECT sign, t.day, ${dailyOf(sql`t`)} FROM tally ${stored('dice_days', sql`AND ${isRecent(sql`x`)}`)} AND sign <> 0
          UNION ALL SELECT sign, t.day, ${dailyOf(sql`t`)} FROM tally t WHERE sign <> 0 AND ${isRecent(sql`t`)}
        ) t GROUP BY t.day) x) AS days`)
  const { counts, faces, traits, days } = sums as TallySums
  const byDate = new Map(days?.map((day) => [day.date, day]))
  return {
    rolls: counts.rolls,
    outcomes: outcomesOf((outcome) => counts[COUNTED_AS[outcome]]),
    naturals: { max: counts.natural_max, min: counts.natural_min },
    manual: { rolls: counts.manual_rolls, outcomes: outcomesOf((outcome) => counts[`manual_${COUNTED_AS[outcome]}`]) },
    mean_pool: mean(counts.pool_dice, counts.pools),
    mean_difficulty: mean(counts.difficulty_sum, counts.difficulties),
    faces: (faces ?? []).map(({ sides, observed }) => {
      const dice = observed.reduce((all, n) => all + n, 0)
      return { sides, dice, expected: mean(dice, sides) as number, observed, ...chiSquare(observed) }
    }),
    traits: traits ?? [],
    days: dates.map((date) => byDate.get(date) ?? { date, rolls: 0, botches: 0, failures: 0, successes: 0, criticals: 0 }),
  }
}

export const companyStatistics = (db: Db, caller: Pick<Caller, 'actor' | 'permission'>, company_id: string) =>
  statisticsOf(db, company_id, visibleTallies({ ...caller, company_id }))

export const campaignStatistics = (db: Db, actor: Actor, campaign_id: string) =>
  statisticsOf(db, actor.company_id, visibleTalliesWhere(viewerOf(actor), sql`x.campaign_id = ${campaign_id}`))

export const userStatistics = (db: Db, actor: Actor) =>
  statisticsOf(db, actor.company_id, visibleTalliesWhere(viewerOf(actor), sql`x.user_id = ${actor.id}`))

export const characterStatistics = (db: Db, actor: Actor, character_id: string) =>
  statisticsOf(db, actor.company_id, visibleTalliesWhere(viewerOf(actor), sql`x.character_id = ${character_id}`))
