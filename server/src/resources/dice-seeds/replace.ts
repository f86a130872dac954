import type pg from 'pg'
import { compile, type Sql, sql } from '../../db/sql.ts'

/** A UUIDv7 of the instant, made by the database: it may be needed for a million rows at once. */
const newIdAt = (now: Date): Sql => {
  const time = sql`lpad(to_hex(${now.getTime()}::bigint), 12, '0')`
  return sql`(substr(${time}, 1, 8) || '-' || substr(${time}, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid`
}

/** 32 random bytes. PostgreSQL draws each random UUID (122 bits) from the system's secure generator. */
const newServerSeed = sql`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`

const commitment = (seed: string) => sql`encode(sha256(${sql.id(seed)}.server_seed), 'hex')`

/**
 * Reveals every current seed of the database, commits to a new one for each owner, and records the rotation, in one statement.
 * A restored backup needs this: rolls made after the backup are lost, and their seeds would produce the same dice again.
 * Uses only columns that exist since migration 0007. Returns how many seeds it replaced.
 */
export async function replaceSeeds(client: pg.ClientBase, now: Date): Promise<number> {
  // A backup of an older schema has no seeds; later migrations create them.
  const { rows } = await client.query<{ exists: boolean }>("SELECT to_regclass('dice_seeds') IS NOT NULL AS exists")
  if (!rows[0]?.exists) return 0
  const replacement = sql`
    WITH old AS (
      UPDATE dice_seeds SET date_revealed = ${now} WHERE date_revealed IS NULL
      RETURNING company_id, campaign_id, user_id, secret, server_seed, nonce
    ), new AS (
      INSERT INTO dice_seeds (company_id, id, campaign_id, user_id, secret, server_seed, date_created)
      SELECT company_id, ${newIdAt(now)}, campaign_id, user_id, secret, ${newServerSeed}, ${now} FROM old
      RETURNING company_id, id, campaign_id, user_id, secret, server_seed
    )
    INSERT INTO events (company_id, id, type, resource_type, resource_id, changes, date_created, campaign_id, visibility)
    SELECT new.company_id, ${newIdAt(now)}, 'dice_seed.rotated', 'dice_seed', new.id,
      jsonb_build_object('commitment', jsonb_build_object('old', ${commitment('old')}, 'new', ${commitment('new')}))
        || CASE WHEN old.nonce > 0 THEN jsonb_build_object('next_nonce', jsonb_build_object('old', old.nonce + 1, 'new', 1)) ELSE '{}' END,
      ${now}, new.campaign_id, CASE WHEN new.secret THEN 'STORYTELLER' END
    FROM new JOIN old ON old.company_id = new.company_id AND coalesce(old.campaign_id, old.user_id) = coalesce(new.campaign_id, new.user_id)
      AND old.secret = new.secret`
  return (await client.query(compile(replacement))).rowCount ?? 0
}
