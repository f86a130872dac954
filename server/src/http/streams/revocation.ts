import { unique } from '../../core/unique.ts'
import type { Db } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { SessionState } from '../request/session-state.ts'
import type { Connection } from './connection.ts'
import type { FindEnded } from './streams.ts'

/** The rows behind the callers of streams, as they are now. A row that is missing was removed or archived. */
interface Rights {
  /** The time at which each key, token or session expires; null for never. */
  expiries: Map<string, string | null>
  globalAdmins: Set<string>
  grants: Set<string>
  companies: Set<string>
  users: Set<string>
}

const inCompany = (company_id: string, id: string) => `${company_id} ${id}`

interface Row {
  id: string
  company_id: string
}

/** Reads the rights of all callers together: one statement for each table, however many streams are open. */
async function readRights(db: Db, sessions: SessionState[]): Promise<Rights> {
  const companies = unique(sessions.map(({ target }) => target.company_id))
  const developers = unique(sessions.map(({ caller }) => caller.developer.id))
  const keys = unique(sessions.map(({ caller }) => caller.developer.key_id))
  const users = unique(sessions.map(({ caller }) => caller.actor?.id))
  const tokens = unique(sessions.map(({ caller }) => caller.token?.id))
  const ofConsole = unique(sessions.map(({ caller }) => (caller.token ? undefined : caller.session?.id)))
  const ofCompanies = sql`company_id = ANY (${companies}::uuid[])`
  const [expiring, live, granted, present, issued, signedIn] = await Promise.all([
    db.query<{ id: string; date_expires: string | null; developer_id: string; is_global_admin: boolean }>(sql`
      SELECT k.id, k.date_expires, d.id AS developer_id, d.is_global_admin FROM api_keys k JOIN developers d ON d.id = k.developer_id
      WHERE k.id = ANY (${keys}::uuid[])`),
    db.query<Row>(sql`SELECT id FROM companies WHERE id = ANY (${companies}::uuid[]) AND date_archived IS NULL`),
    db.query<Row>(sql`SELECT company_id, id FROM grants WHERE ${ofCompanies} AND id = ANY (${developers}::uuid[])`),
    db.query<Row>(sql`SELECT company_id, id FROM users WHERE ${ofCompanies} AND id = ANY (${users}::uuid[]) AND date_archived IS NULL`),
    db.query<Row & { date_expires: string }>(
      sql`SELECT company_id, id, date_expires FROM user_tokens WHERE ${ofCompanies} AND id = ANY (${tokens}::uuid[])`,
    ),
    ofConsole.length
      ? db.query<{ id: string; date_expires: string }>(
          sql`SELECT id, date_expires FROM console_sessions WHERE id = ANY (${ofConsole}::uuid[])`,
        )
      : [],
  ])
  return {
    expiries: new Map([...expiring, ...issued, ...signedIn].map(({ id, date_expires }) => [id, date_expires])),
    globalAdmins: new Set(expiring.flatMap(({ developer_id, is_global_admin }) => (is_global_admin ? [developer_id] : []))),
    companies: new Set(live.map(({ id }) => id)),
    grants: new Set(granted.map(({ company_id, id }) => inCompany(company_id, id))),
    users: new Set(present.map(({ company_id, id }) => inCompany(company_id, id))),
  }
}

/** Decides if a caller has lost the right to their stream. A token or session ends with the key that issued it, too. */
function endOf({ caller, target }: SessionState, rights: Rights, now: Date): 'expired' | 'revoked' | undefined {
  const { developer, token, session, actor } = caller
  const expiries = [developer.key_id, ...[token, session].flatMap((credential) => credential?.id ?? [])].map((id) =>
    rights.expiries.get(id),
  )
  if (expiries.includes(undefined)) return 'revoked'
  if (expiries.some((time) => time && Date.parse(time) <= now.getTime())) return 'expired'
  const { company_id } = target
  if (!company_id) return undefined
  const hasAccess = rights.grants.has(inCompany(company_id, developer.id)) || (!token && rights.globalAdmins.has(developer.id))
  const isPresent = !actor || rights.users.has(inCompany(company_id, actor.id))
  return hasAccess && isPresent && rights.companies.has(company_id) ? undefined : 'revoked'
}

/** Finds the streams whose key, token, grant, user or company has ended since they were opened. */
export const endedOn =
  (db: Db): FindEnded =>
  async (connections) => {
    const rights = await readRights(
      db,
      connections.map(({ session }) => session),
    )
    const now = db.now()
    const ended = new Map<Connection, 'expired' | 'revoked'>()
    for (const connection of connections) {
      const reason = endOf(connection.session, rights, now)
      if (reason) ended.set(connection, reason)
    }
    return ended
  }
