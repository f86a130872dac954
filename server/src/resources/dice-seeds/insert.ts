import { randomCopy } from '../../core/random.ts'
import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'

declareTable('dice_seeds', undefined, { references: { users: 'user_id' }, partOf: { campaigns: 'campaign_id' } })

/** Whose seed: a campaign's, for open or for secret rolls, or a user's for rolls outside campaigns. */
export type Owner = { company_id: string } & ({ campaign_id: string; secret: boolean } | { user_id: string })

/**
 * Makes the seeds of owners who have none: who comes first decides, and all use that. It is done with the owner itself, long
 * before anybody can ask for a die: what was not committed to by then could have been chosen.
 */
export const planted = (db: Tx, owners: Owner[]): Sql => sql`
  INSERT INTO dice_seeds (company_id, id, campaign_id, user_id, secret, server_seed, date_created)
  VALUES ${sql.join(
    owners.map((owner) => {
      const { campaign_id, secret, user_id } = { campaign_id: null, secret: false, user_id: null, ...owner }
      return sql`(${owner.company_id}, ${db.newId()}, ${campaign_id}, ${user_id}, ${secret}, ${randomCopy(32)}, ${db.now()})`
    }),
    ', ',
  )}
  ON CONFLICT DO NOTHING`
