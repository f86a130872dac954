import { hash } from 'node:crypto'
import { randomText } from '../../core/api-key.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { joinCampaign } from '../members/queries.ts'
import { refuseLowRole } from '../members/rules.ts'
import { Invite, type InviteCreate } from './schema.ts'

const invites = table('invites', Invite, { noun: 'Invite', references: { users: 'user_id' }, partOf: { campaigns: 'campaign_id' } })

const hashOf = (code: string) => hash('sha256', code, 'buffer')

interface InCampaign {
  company_id: string
  campaign_id: string
}

export const listInvites = (db: Db, scope: InCampaign, listed: Listed) => invites.list(db, scope, listed)
export const getInvite = (db: Db, scope: InCampaign & { id: string }) => invites.get(db, scope)
export const revokeInvite = (db: Tx, scope: InCampaign & { id: string }) => invites.remove(db, scope)

/** The code is only in the reply, never in the table or the event. */
export async function createInvite(db: Tx, { company_id, id }: Actor, campaign_id: string, { expires_in, ...body }: InviteCreate) {
  const code = `gli_${randomText(22)}`
  const date_expires = expires_in === null ? null : new Date(db.now().getTime() + expires_in * 1000).toISOString()
  const { after } = await invites.insert(db, {
    ...body,
    company_id,
    campaign_id,
    user_id: id,
    uses: 0,
    date_expires,
    code_hash: hashOf(code),
  })
  return { before: null, after, reply: { ...after, code } }
}

/** Locks the invite, so that of many users who accept the last use at once, one becomes a member. */
async function lockInvite(db: Tx, company_id: string, code: string): Promise<Invite> {
  const [invite] = await db.query<Invite>(sql`
    SELECT ${columnsOf(Invite, 'x')} FROM invites x JOIN campaigns campaign
      ON campaign.company_id = ${company_id} AND campaign.id = x.campaign_id AND campaign.date_archived IS NULL
    WHERE x.company_id = ${company_id} AND x.code_hash = ${hashOf(code)} FOR NO KEY UPDATE OF x FOR KEY SHARE OF campaign`)
  return invite ?? notFound('Invite')
}

/** Accepting an invite again, or as a member who has the role already, takes no use of it. */
export async function acceptInvite(db: Tx, actor: Actor, code: string) {
  const { company_id } = actor
  const { id, campaign_id, role, uses, max_uses, date_expires } = await lockInvite(db, company_id, code)
  if (date_expires && Date.parse(date_expires) <= db.now().getTime())
    conflict('invite_expired', 'This invite has expired. Ask a storyteller of the campaign for a new one.')
  refuseLowRole(actor.role, role)
  const joined = await joinCampaign(db, actor, campaign_id, role)
  if (joined.before === joined.after) return joined
  if (max_uses !== null && uses >= max_uses)
    conflict('invite_used_up', 'This invite has been used as often as it allows. Ask a storyteller of the campaign for a new one.')
  db.send(sql`
    UPDATE invites SET uses = uses + 1, version = version + 1, date_modified = ${db.now()} WHERE company_id = ${company_id} AND id = ${id}`)
  return joined
}
