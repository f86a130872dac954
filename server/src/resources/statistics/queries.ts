import type { Db } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { OUTCOMES } from '../../dice/pool.ts'
import type { Actor, Caller } from '../../http/operation.ts'
import { ofAll, ofSome } from '../dice-rolls/seen.ts'
import { COUNTED, COUNTED_AS, type Counts, DAILY } from '../dice-rolls/tally.ts'
import { chiSquare, daysUntil, mean, percentages } from './rules.ts'
import { DAYS, MOST_TRAITS, type Statistics } from './schema.ts'

interface Found {
  counts: Counts
  faces: { sides: number; observed: number[] }[] | null
  traits: { name: string; rolls: number }[] | null
  days: ({ date: string } & Pick<Counts, (typeof DAILY)[number]>)[] | null
}

const summed = (counted: readonly string[]) =>
  sql.join(
    counted.map((name) => sql`coalesce(sum(sign * t.${sql.id(name)}), 0) AS ${sql.id(name)}`),
    ', ',
  )

/** What some tallies come to, in one statement and so at one moment. */
async function statisticsOf(db: Db, company_id: string, tallies: Sql): Promise<Statistics> {
  const days = daysUntil(db.now(), DAYS)
  // Tally by tally: without the fence a plan would begin with all that the company has.
  const of = (table: string, also = sql``) =>
    sql`tally CROSS JOIN LATERAL (SELECT * FROM ${sql.id(table)} x WHERE x.company_id = ${company_id} AND x.tally_id = tally.id ${also} OFFSET 0) t`
  const [found] = await db.query<Found>(sql`
    WITH tally AS MATERIALIZED (${tallies})
    SELECT (SELECT to_json(x) FROM (SELECT ${summed(COUNTED)} FROM tally t) x) AS counts,
      (SELECT json_agg(x ORDER BY x.sides) FROM (
        SELECT sides, json_agg(n ORDER BY face) AS observed FROM (
          SELECT sides, face, sum(sign * fallen) AS n FROM ${of('dice_faces')}
          CROSS JOIN unnest(t.faces) WITH ORDINALITY AS f (fallen, face) GROUP BY sides, face) y
        GROUP BY sides HAVING sum(n) > 0) x) AS faces,
      (SELECT json_agg(x ORDER BY x.rolls DESC, x.name) FROM (
        SELECT t.trait AS name, sum(sign * t.rolls) AS rolls FROM ${of('dice_traits')}
        GROUP BY t.trait HAVING sum(sign * t.rolls) > 0 ORDER BY rolls DESC, name LIMIT ${MOST_TRAITS}) x) AS traits,
      (SELECT json_agg(x) FROM (
        SELECT t.day AS date, ${summed(DAILY)} FROM ${of('dice_days', sql`AND x.day >= ${days[0]}::date`)} GROUP BY t.day) x) AS days`)
  const { counts, faces, traits, days: rolled } = found as Found
  const shares = percentages(OUTCOMES.map((outcome) => counts[COUNTED_AS[outcome]]))
  const byDate = new Map(rolled?.map((day) => [day.date, day]))
  return {
    rolls: counts.rolls,
    outcomes: OUTCOMES.map((outcome, i) => ({ outcome, rolls: counts[COUNTED_AS[outcome]], percent: shares[i] as number })),
    mean_pool: mean(counts.pool_dice, counts.pools),
    mean_difficulty: mean(counts.difficulty_sum, counts.difficulties),
    faces: (faces ?? []).map(({ sides, observed }) => {
      const dice = observed.reduce((all, n) => all + n, 0)
      return { sides, dice, expected: mean(dice, sides) as number, observed, ...chiSquare(observed) }
    }),
    traits: traits ?? [],
    days: days.map((date) => byDate.get(date) ?? { date, rolls: 0, botches: 0, failures: 0, successes: 0, criticals: 0 }),
  }
}

export const ofCompany = (db: Db, caller: Pick<Caller, 'actor' | 'permission'>, company_id: string) =>
  statisticsOf(db, company_id, ofAll(caller, company_id))

export const ofCampaign = (db: Db, actor: Actor, campaign_id: string) =>
  statisticsOf(db, actor.company_id, ofSome(actor, sql`x.campaign_id = ${campaign_id}`))

export const ofUser = (db: Db, actor: Actor) => statisticsOf(db, actor.company_id, ofSome(actor, sql`x.user_id = ${actor.id}`))

export const ofCharacter = (db: Db, actor: Actor, character_id: string) =>
  statisticsOf(db, actor.company_id, ofSome(actor, sql`x.character_id = ${character_id}`))
