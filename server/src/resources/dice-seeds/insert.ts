import { randomCopy } from '../../core/random.ts'
import type { Tx } from '../../db/client.ts'
import { declareTable } from '../../db/registry.ts'
import { type Sql, sql } from '../../db/sql.ts'

declareTable('dice_seeds', undefined, { references: { users: 'user_id' }, partOf: { campaigns: 'campaign_id' } })

/** The owner of a seed: a campaign, for its public or its secret rolls, or a user, for rolls outside campaigns. */
export type SeedOwner = { company_id: string } & ({ campaign_id: string; secret: boolean } | { user_id: string })

/**
 * Inserts a seed for every owner who has none; of concurrent inserts, the first wins. Seeds are created together with their owners, long
 * before the first roll: a seed that nobody committed to by then could have been chosen.
 */
export const insertSeeds = (db: Tx, owners: SeedOwner[]): Sql => sql`
  INSERT INTO dice_seeds (company_id, id, campaign_id, user_id, secret, server_seed, date_created)
  VALUES ${sql.join(
    owners.map((owner) => {
      const { campaign_id, secret, user_id } = { campaign_id: null, secret: false, user_id: null, ...owner }
      return sql`(${owner.company_id}, ${db.newId()}, ${campaign_id}, ${user_id}, ${secret}, ${randomCopy(32)}, ${db.now()})`
    }),
    ', ',
  )}
  ON CONFLICT DO NOTHING`
