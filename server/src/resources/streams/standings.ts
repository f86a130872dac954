import type { Permission, Role } from '../../core/access.ts'
import { unique } from '../../core/unique.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { Viewer } from '../campaigns/across.ts'
import { KINDS } from '../changes/kinds.ts'
import type { FeedEvent } from '../changes/rules.ts'
import type { Follower } from './follower.ts'

interface Standing {
  id: string
  role: Role
  /** The part of the user in the campaigns that were asked about; null if they have none. */
  parts: string | null
}

/** The rights of readers, as they are when something is read for them, and never as of the opening of their streams. */
export interface Standings {
  epoch: string
  /** The oldest position of the feed that is kept. */
  first: number
  /** The last position of the feed. */
  last: number
  /** The live users among the readers. */
  users: Map<string, Standing>
  /** The permissions of the developers whose keys, or whose users' tokens, read. */
  permissions: Map<string, { permission: Permission | null; is_global_admin: boolean }>
}

/** Reads the rights of some readers of a company, and their part in some campaigns of it. */
export async function readStandings(db: Db, company_id: string, followers: Follower[], campaign_ids: string[] = []): Promise<Standings> {
  const developers = unique(followers.map(({ developer_id }) => developer_id))
  const [[feed], users, permissions] = await Promise.all([
    db.query<Pick<Standings, 'epoch'> & { first: number | null; last: number | null }>(
      sql`SELECT s.epoch, h.first, h.last FROM feed_state s LEFT JOIN feed_heads h ON h.company_id = ${company_id}`,
    ),
    db.query<Standing>(sql`
      SELECT u.id, u.role, part.parts FROM users u LEFT JOIN (
        SELECT p.user_id, string_agg(p.campaign_id::text || p.role, ' ' ORDER BY p.campaign_id, p.role) AS parts FROM (
          SELECT m.user_id, m.campaign_id, m.role FROM members m WHERE m.company_id = ${company_id} AND m.campaign_id = ANY (${campaign_ids}::uuid[])
          UNION ALL SELECT c.user_id, c.id, 'OWNER' FROM campaigns c WHERE c.company_id = ${company_id} AND c.id = ANY (${campaign_ids}::uuid[])
        ) p GROUP BY p.user_id
      ) part ON part.user_id = u.id
      WHERE u.company_id = ${company_id} AND u.id = ANY (${unique(followers.map(({ user_id }) => user_id))}::uuid[]) AND u.date_archived IS NULL`),
    db.query<{ id: string; permission: Permission | null; is_global_admin: boolean }>(sql`
      SELECT d.id, d.is_global_admin, g.permission FROM developers d LEFT JOIN grants g ON g.company_id = ${company_id} AND g.id = d.id
      WHERE d.id = ANY (${developers}::uuid[])`),
  ])
  return {
    epoch: feed?.epoch ?? '',
    first: feed?.first ?? 1,
    last: feed?.last ?? 0,
    users: new Map(users.map((user) => [user.id, user])),
    permissions: new Map(permissions.map((developer) => [developer.id, developer])),
  }
}

/** A reader as statements take them; null if they may read nothing any more. */
export function viewerOf({ company_id, user_id, developer_id, hasToken }: Follower, { users, permissions }: Standings): Viewer | null {
  const { permission: granted = null, is_global_admin = false } = permissions.get(developer_id) ?? {}
  const permission = hasToken ? granted && 'USER' : is_global_admin ? 'OWNER' : granted
  if (!permission) return null
  if (user_id === null) return { company_id, permission, actor: null }
  const user = users.get(user_id)
  return user ? { company_id, permission, actor: { id: user_id, company_id, name: '', role: user.role } } : null
}

/** The rights of a reader as one text: if it is the same before and after something was read for them, it was read with the rights that they had. */
export function fingerprintOf(follower: Follower, standings: Standings): string {
  const viewer = viewerOf(follower, standings)
  return viewer ? `${viewer.permission} ${viewer.actor?.role} ${standings.users.get(follower.user_id ?? '')?.parts}` : ''
}

/** Finds the users who have a part in some events or their resources, and may see them otherwise than the rest of their role. */
export async function readParticipants(db: Db, company_id: string, events: FeedEvent[]): Promise<Set<string>> {
  const named = events.flatMap((event) => [event.user_id, event.author_id, event.resource_id, event.oldOwner, event.newOwner])
  const ids = unique(events.map(({ resource_id }) => resource_id))
  const found = await db.query<{ user_id: string | null }>(
    sql.join(
      Object.values(KINDS).flatMap(({ participants }) => participants.map((select) => select(company_id, ids))),
      ' UNION ',
    ),
  )
  return new Set(unique([...named, ...found.map(({ user_id }) => user_id)]))
}
