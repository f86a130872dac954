import { declareInvariant } from '../../db/invariants.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { COUNTED, ROLLS } from './tally-counts.ts'

declareInvariant({
  check: 'dice numbers',
  violations: () => sql`
    SELECT s.company_id, s.id, s.nonce, count(r.nonce) AS rolls, max(r.nonce) AS last
    FROM dice_seeds s LEFT JOIN dice_rolls r ON r.company_id = s.company_id AND r.seed_id = s.id
    GROUP BY s.company_id, s.id, s.nonce HAVING count(r.nonce) <> s.nonce OR coalesce(max(r.nonce), 0) <> s.nonce`,
  holds: 'the rolls of every seed are numbered without gaps',
})

declareInvariant({
  check: 'dice seeds',
  // Seeds with a roll beyond their own counter: the next rolls would repeat nonces that were used.
  violations: () => sql`
    SELECT s.company_id, s.id, s.nonce, max(r.nonce) AS last
    FROM dice_seeds s JOIN dice_rolls r ON r.company_id = s.company_id AND r.seed_id = s.id AND r.nonce > s.nonce
    GROUP BY s.company_id, s.id, s.nonce`,
  holds: 'no seed was used beyond its counter',
  remedy:
    'Rotate the seed: POST .../dice-seed/rotate, or .../secret-dice-seed/rotate. Restore backups with guildhall restore, which replaces all seeds.',
})

/** A tally counts every roll once: as a roll, as one with dice from the table, or as a voided one. */
const all = sql.join(ROLLS.map(sql.id), ' + ')

/** Additions that wait in the queue count for both tallies of their rolls. */
const queued = (user_id: Sql) =>
  sql`SELECT company_id, ${user_id}, ${sql.join(
    ROLLS.map((name) => sql`counts[${sql.number(COUNTED.indexOf(name) + 1)}]`),
    ' + ',
  )} FROM tally_queue`

declareInvariant({
  check: 'statistics',
  // Companies whose tallies do not count as many rolls as they have.
  violations: () => sql`
    SELECT company_id, coalesce(t.own, 0) AS counted, coalesce(t.company, 0) AS counted_for_company, coalesce(r.rolls, 0) AS rolls
    FROM (SELECT company_id, sum(counted) FILTER (WHERE user_id IS NOT NULL) AS own, sum(counted) FILTER (WHERE user_id IS NULL) AS company
          FROM (SELECT company_id, user_id, ${all} AS counted FROM dice_tallies UNION ALL ${queued(sql`user_id`)} UNION ALL ${queued(sql`NULL`)}) x
          GROUP BY company_id) t
    FULL JOIN (SELECT company_id, count(*) AS rolls FROM dice_rolls GROUP BY company_id) r USING (company_id)
    WHERE coalesce(t.own, 0) <> coalesce(r.rolls, 0) OR coalesce(t.company, 0) <> coalesce(r.rolls, 0)`,
  holds: 'every roll is counted',
  remedy: 'Run guildhall recount.',
})
