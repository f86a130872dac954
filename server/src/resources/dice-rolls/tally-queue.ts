import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { type Additions, COUNTED, type Scope } from './tally-counts.ts'

// A roll does not add to its tallies: it writes one row of additions, which a background worker adds later, many rows at once. A reader adds up tallies and
// additions in one statement, so that its numbers are exact to the last committed roll.
declareTable('tally_queue', undefined, { partOf: { campaigns: 'campaign_id' } })

/** The statement that writes additions. */
export function queueStatement(tx: Tx, { roll, counts, faces, traits }: Additions): Sql {
  const { company_id, campaign_id, character_id, user_id, visibility, date_created } = roll
  const sizes = JSON.stringify([...faces].map(([sides, counted]) => ({ sides, faces: counted })))
  return sql`INSERT INTO tally_queue (company_id, id, campaign_id, character_id, user_id, visibility, day, counts, faces, traits)
    VALUES (${company_id}, ${tx.newId()}, ${campaign_id}, ${character_id}, ${user_id}, ${visibility}, ${date_created.slice(0, 10)},
      ${COUNTED.map((name) => counts[name])}, ${sizes}, ${JSON.stringify(Object.fromEntries(traits))})`
}

/** Additions as the queue has them. */
export interface QueuedRow extends Scope {
  id: string
  day: string
  counts: number[]
  faces: { sides: number; faces: number[] }[]
  traits: Record<string, number>
}

/** The counts of a row `x` of the queue, as columns with their names. */
export const queuedColumns: Sql = sql.join(
  COUNTED.map((name, i) => sql`x.counts[${sql.number(i + 1)}]::bigint AS ${sql.id(name)}`),
  ', ',
)
