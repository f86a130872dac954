import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { commitmentOf } from '../../dice/draw.ts'
import { type Owner, planted } from './insert.ts'
import type { DiceSeed } from './schema.ts'

/** The current seed of an owner, as a condition on the table. */
const currentOf = (owner: Owner): Sql =>
  'user_id' in owner
    ? sql`company_id = ${owner.company_id} AND user_id = ${owner.user_id} AND date_revealed IS NULL`
    : sql`company_id = ${owner.company_id} AND campaign_id = ${owner.campaign_id} AND secret = ${owner.secret} AND date_revealed IS NULL`

interface Row {
  id: string
  server_seed: Buffer
  nonce: number
}
const shown = ({ id, server_seed, nonce }: Row): DiceSeed => ({ id, commitment: commitmentOf(server_seed), next_nonce: nonce + 1 })

/**
 * The seed that the next roll will use. Seeds are created with their owner. For an owner without one, which only a process of an older version
 * can have created, this is 404: it only reads, and the first roll or rotation creates the seed.
 */
export async function getSeed(db: Db, owner: Owner): Promise<DiceSeed> {
  const [row] = await db.query<Row>(sql`SELECT id, server_seed, nonce FROM dice_seeds WHERE ${currentOf(owner)}`)
  return row ? shown(row) : notFound('Dice seed')
}

/** Ends a seed and commits to another. What rolled before is in the count; what rolls later uses the new one. */
export async function rotateSeed(db: Tx, owner: Owner) {
  for (let tries = 0; tries < 3; tries++) {
    const [old] = await db.query<Row>(sql`
      UPDATE dice_seeds SET date_revealed = ${db.now()} WHERE ${currentOf(owner)} RETURNING id, server_seed, nonce`)
    await db.query(planted(db, [owner]))
    // Another request has just rotated it, or there was none: then it is the new one's turn.
    if (!old) continue
    const after = await getSeed(db, owner)
    const server_seed = old.server_seed.toString('hex')
    const revealed = { id: old.id, commitment: commitmentOf(old.server_seed), server_seed, rolls: old.nonce }
    // What happens to a secret seed is for storytellers.
    const visibility = 'secret' in owner && owner.secret ? 'STORYTELLER' : 'PUBLIC'
    return { before: { ...shown(old), visibility }, after: { ...after, visibility }, reply: { ...after, revealed } }
  }
  return conflict('seed_in_use', 'This seed is being rotated by others: look at it again.')
}
