import type { FastifyRequest } from 'fastify'
import type { Permission, Role } from '../core/access.ts'
import { hashApiKey, looksLikeApiKey } from '../core/api-key.ts'
import { unauthorized } from '../core/problem.ts'
import type { Db } from '../db/client.ts'
import { sql } from '../db/sql.ts'
import { type Kept, keptColumns, keptJoin } from './idempotency.ts'
import type { Actor, Developer } from './operation.ts'

/** What the database knows of the names in a visit. */
export interface Identity {
  developer: Developer
  company: 'live' | 'archived' | null
  permission: Permission | null
  actor: Actor | null
  /** The reply kept for this Idempotency-Key. */
  kept: Kept | null
}

interface Row extends Developer {
  company: 'live' | 'archived' | null
  permission: Permission | null
  actor_id: string | null
  actor_name: string
  actor_role: Role
}

/**
 * Whose key is this, what may it do in the company, who acts, and was this very request answered before? One statement
 * tells, and none is spent on a key that cannot be one.
 */
export async function identify(db: Db, request: FastifyRequest): Promise<Identity> {
  const { company_id, actor_id, once } = request.visit
  const key = request.headers['x-api-key']
  if (key === undefined || key === '') return unauthorized('API key not provided')
  if (typeof key !== 'string' || !looksLikeApiKey(key)) return unauthorized()

  const company = company_id
    ? {
        columns: sql`CASE WHEN c.date_archived IS NULL THEN 'live' ELSE 'archived' END AS company, c.id AS company_id, g.permission`,
        join: sql`LEFT JOIN companies c ON c.id = ${company_id}
                  LEFT JOIN grants g ON g.company_id = c.id AND g.id = d.id`,
      }
    : { columns: sql`NULL AS company_id`, join: sql`` }
  const actor =
    company_id && actor_id
      ? {
          columns: sql`, u.id AS actor_id, u.name AS actor_name, u.role AS actor_role`,
          join: sql`LEFT JOIN users u ON u.company_id = c.id AND u.id = ${actor_id} AND u.date_archived IS NULL`,
        }
      : { columns: sql``, join: sql`` }
  const kept = once
    ? { columns: sql`, ${keptColumns}`, join: keptJoin(company_id ? sql`${company_id}` : sql`d.id`, sql`d.id`, once.key_hash, db.now()) }
    : { columns: sql``, join: sql`` }

  const [row] = await db.query<Row & Kept & { company_id: string | null }>(sql`
    SELECT d.id, d.name, d.is_global_admin, k.id AS key_id, ${company.columns}${actor.columns}${kept.columns}
    FROM api_keys k JOIN developers d ON d.id = k.developer_id
    ${company.join} ${actor.join} ${kept.join}
    WHERE k.key_hash = ${hashApiKey(key)} AND (k.date_expires IS NULL OR k.date_expires > ${db.now()})`)
  if (!row) return unauthorized()
  const { id, name, is_global_admin, key_id } = row
  return {
    developer: { id, name, is_global_admin, key_id },
    company: row.company_id ? row.company : null,
    permission: row.permission ?? null,
    actor: row.actor_id && company_id ? { id: row.actor_id, company_id, name: row.actor_name, role: row.actor_role } : null,
    kept: row.body_hash ? row : null,
  }
}
