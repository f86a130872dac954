import { forbidden } from '../../core/problem.ts'
import { assertInTransaction } from '../../db/assert-in-transaction.ts'
import type { Tx } from '../../db/client.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { EventDraft } from '../../events/record.ts'
import type { Actor } from '../../http/caller.ts'
import { rule } from '../../http/rule.ts'

interface Membership {
  company_id: string
  campaign_id: string
  user_id: string
  role: 'STORYTELLER' | 'PLAYER'
}

/** The role of an owner in their campaign, which follows from their role in the company. */
export const ownerRole = (role: Sql) => sql`CASE WHEN ${role} = 'PLAYER' THEN 'PLAYER' ELSE 'STORYTELLER' END`

/** Makes a user a member, unless they are one already. Returns the events of the change. */
export async function addMember(db: Tx, { company_id, campaign_id, user_id, role }: Membership): Promise<EventDraft<'member.added'>[]> {
  const now = db.now()
  const added = await db.query(sql`
    INSERT INTO members (company_id, campaign_id, user_id, role, date_created, date_modified)
    VALUES (${company_id}, ${campaign_id}, ${user_id}, ${role}, ${now}, ${now})
    ON CONFLICT (company_id, campaign_id, user_id) DO NOTHING RETURNING 1 AS one`)
  const after = { id: user_id, campaign_id, user_id, role }
  return added.map(() => ({ type: 'member.added', before: null, after }))
}

/** Gives a member this role, unless they have it already. Returns the events of the change. */
export async function changeMemberRole(
  db: Tx,
  { company_id, campaign_id, user_id, role }: Membership,
): Promise<EventDraft<'member.changed'>[]> {
  const changed = await db.query(sql`
    UPDATE members SET role = ${role}, version = version + 1, date_modified = ${db.now()}
    WHERE company_id = ${company_id} AND campaign_id = ${campaign_id} AND user_id = ${user_id} AND role <> ${role} RETURNING 1 AS one`)
  const after = { id: user_id, campaign_id, user_id, role }
  const before = { ...after, role: role === 'PLAYER' ? 'STORYTELLER' : 'PLAYER' }
  return changed.map(() => ({ type: 'member.changed', before, after }))
}

interface Writer {
  actor: Pick<Actor, 'id' | 'role'>
  campaign: { user_id: string; isMember: boolean; joining: 'OPEN' | 'INVITE' }
}

/** True for users who become members by what they write. Owners and ADMINs need not be members. */
const isOutsider = ({ actor, campaign }: Writer) => !campaign.isMember && actor.role !== 'ADMIN' && actor.id !== campaign.user_id

/** Everything that is written in a campaign needs this, besides the rule of its operation. */
export const mayWrite = rule<Writer>(
  'Members of the campaign, its owner and ADMINs may write in it; so may every other user, who thereby becomes a member, if `joining` is OPEN.',
  (writer) => !isOutsider(writer) || writer.campaign.joining === 'OPEN',
  { reason: 'not_a_member' },
)

/**
 * Makes an acting user who writes in an open campaign a member of it. Returns the events of the change. The lock keeps the campaign open until the transaction ends:
 * a roll names its campaign in the body, and has not locked it before.
 */
export async function enter(db: Tx, writer: Writer & { actor: Actor; campaign: { id: string } }): Promise<EventDraft<'member.added'>[]> {
  const { actor, campaign } = writer
  if (!isOutsider(writer)) return []
  const refuse = () => forbidden(mayWrite.why(writer))
  if (!mayWrite(writer)) refuse()
  const { company_id } = actor
  const isOpen = sql`(
    SELECT true FROM campaigns WHERE company_id = ${company_id} AND id = ${campaign.id} AND joining = 'OPEN' FOR SHARE)`
  assertInTransaction(db, isOpen, refuse)
  return addMember(db, { company_id, campaign_id: campaign.id, user_id: actor.id, role: 'PLAYER' })
}
