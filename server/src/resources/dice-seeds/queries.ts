import { commitmentOf } from '@guildhall/dice/node-crypto'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { insertSeeds, type SeedOwner } from './insert.ts'
import type { DiceSeed } from './schema.ts'

/** A condition that selects the current seed of an owner. */
const isCurrentSeedOf = (owner: SeedOwner): Sql =>
  'user_id' in owner
    ? sql`company_id = ${owner.company_id} AND user_id = ${owner.user_id} AND date_revealed IS NULL`
    : sql`company_id = ${owner.company_id} AND campaign_id = ${owner.campaign_id} AND secret = ${owner.secret} AND date_revealed IS NULL`

interface SeedRow {
  id: string
  server_seed: Buffer
  nonce: number
}
const publicPart = ({ id, server_seed, nonce }: SeedRow): DiceSeed => ({
  id,
  commitment: commitmentOf(server_seed),
  next_nonce: nonce + 1,
})

/**
 * The seed that the next roll will use. Seeds are created with their owner. For an owner without one, which only a process of an older version
 * can have created, this is 404: it only reads, and the first roll or rotation creates the seed.
 */
export async function getSeed(db: Db, owner: SeedOwner): Promise<DiceSeed> {
  const [row] = await db.query<SeedRow>(sql`SELECT id, server_seed, nonce FROM dice_seeds WHERE ${isCurrentSeedOf(owner)}`)
  return row ? publicPart(row) : notFound('Dice seed')
}

const MAX_TRIES = 3

/** Reveals the current seed and commits to a new one. Rolls before the rotation are counted in `rolls`; later ones use the new seed. */
export async function rotateSeed(db: Tx, owner: SeedOwner) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const [old] = await db.query<SeedRow>(sql`
      UPDATE dice_seeds SET date_revealed = ${db.now()} WHERE ${isCurrentSeedOf(owner)} RETURNING id, server_seed, nonce`)
    await db.query(insertSeeds(db, [owner]))
    // Another request has just rotated the seed, or there was none: rotate the new one.
    if (!old) continue
    const after = await getSeed(db, owner)
    const server_seed = old.server_seed.toString('hex')
    const revealed = { id: old.id, commitment: commitmentOf(old.server_seed), server_seed, rolls: old.nonce }
    // Only storytellers may see events of a secret seed.
    const visibility = 'secret' in owner && owner.secret ? 'STORYTELLER' : 'PUBLIC'
    return { before: { ...publicPart(old), visibility }, after: { ...after, visibility }, reply: { ...after, revealed } }
  }
  return conflict('seed_in_use', 'Other requests are rotating this seed. Read the seed, and rotate it again if needed.')
}
