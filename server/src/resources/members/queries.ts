import type { Listed } from '../../core/page.ts'
import { conflict, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { list } from '../../db/list.ts'
import { declareTable } from '../../db/registry.ts'
import { sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { addMember, changeMemberRole, ownerRole } from '../campaigns/membership.ts'
import { lockCampaign } from '../campaigns/queries.ts'
import { holdUser } from '../users/queries.ts'
import { refuseLowRole } from './rules.ts'
import { Member, type MemberRole } from './schema.ts'

declareTable('members', Member, {
  key: ['company_id', 'campaign_id', 'user_id'],
  references: { users: 'user_id' },
  partOf: { campaigns: 'campaign_id' },
  joined: ['id', 'name'],
})

/**
 * The effective role of a member: the owner's follows from their role in the company, and a user with the role PLAYER in the company is a PLAYER in
 * every campaign, whatever is stored.
 */
const role = sql`CASE WHEN campaign.user_id = m.user_id THEN ${ownerRole(sql`u.role`)} WHEN u.role = 'PLAYER' THEN 'PLAYER' ELSE m.role END`
export const columns = sql`m.user_id AS id, m.company_id, m.campaign_id, m.user_id, u.name, ${role} AS role, m.date_created, m.date_modified, m.version`
export const from = (company_id: string) => sql`members m
  JOIN users u ON u.company_id = ${company_id} AND u.id = m.user_id AND u.date_archived IS NULL
  JOIN campaigns campaign ON campaign.company_id = ${company_id} AND campaign.id = m.campaign_id`

export function listMembers(db: Db, company_id: string, campaign_id: string, listed: Listed) {
  const where = [sql`m.company_id = ${company_id}`, sql`m.campaign_id = ${campaign_id}`]
  const orders = { date_created: sql`m.date_created` }
  const source = {
    columns,
    from: from(company_id),
    where,
    name: sql`u.name_key`,
    orders,
    id: sql`m.user_id`,
    modified: sql`m.date_modified`,
  }
  return list<Member>(db, source, listed)
}

/** A member with the stored role, which may be higher than the effective one, and takes effect when the user's role in the company rises. */
type StoredMember = Member & { stored: MemberRole; owns: boolean }

const find = async (db: Db, company_id: string, campaign_id: string, id: string): Promise<StoredMember | null> =>
  (
    await db.query<StoredMember>(sql`
      SELECT ${columns}, m.role AS stored, campaign.user_id = m.user_id AS owns FROM ${from(company_id)}
      WHERE m.company_id = ${company_id} AND m.campaign_id = ${campaign_id} AND m.user_id = ${id}`)
  )[0] ?? null

const withoutStored = ({ stored, owns, ...member }: StoredMember): Member => member

export const getMember = async (db: Db, company_id: string, campaign_id: string, id: string): Promise<Member> => {
  const found = await find(db, company_id, campaign_id, id)
  return found ? withoutStored(found) : notFound('Member')
}

export async function setMember(db: Tx, company_id: string, campaign_id: string, id: string, role: MemberRole) {
  await lockCampaign(db, company_id, campaign_id)
  const user = await holdUser(db, company_id, id)
  refuseLowRole(user.role, role)
  const found = await find(db, company_id, campaign_id, id)
  const before = found && withoutStored(found)
  if (found?.owns && found.role !== role)
    conflict('owner_is_member', "The owner's role in the campaign follows from their role in the company. Transfer the campaign first.")
  if (found?.owns || found?.stored === role) return { before, after: before, reply: before as Member }
  const now = db.now()
  await db.query(sql`
    INSERT INTO members AS m (company_id, campaign_id, user_id, role, date_created, date_modified)
    VALUES (${company_id}, ${campaign_id}, ${id}, ${role}, ${now}, ${now})
    ON CONFLICT (company_id, campaign_id, user_id) DO UPDATE
      SET role = EXCLUDED.role, date_modified = EXCLUDED.date_modified, version = m.version + 1`)
  const reply = await getMember(db, company_id, campaign_id, id)
  // The event shows the stored roles, because the effective role may not have changed.
  const change = { before: found && { ...withoutStored(found), role: found.stored }, after: { ...reply, role } }
  return { ...change, reply, event: found ? ('member.changed' as const) : ('member.added' as const) }
}

/**
 * Removes a member. Its operations run alone in the campaign: a write that could make the user a member again is either done, or finds afterwards that they are none.
 */
export async function removeMember(db: Tx, company_id: string, campaign_id: string, id: string) {
  const found = (await find(db, company_id, campaign_id, id)) ?? notFound('Member')
  if (found.owns) conflict('owner_is_member', 'The owner is always a member. Transfer the campaign first.')
  await db.query(sql`DELETE FROM members WHERE company_id = ${company_id} AND campaign_id = ${campaign_id} AND user_id = ${id}`)
  return { before: withoutStored(found), after: null }
}

/** Makes the acting user a member with the role PLAYER, unless they are one. */
export const joinAsPlayer = async (db: Tx, actor: Actor, campaign_id: string) => ({
  ...(await joinCampaign(db, actor, campaign_id, 'PLAYER')),
  event: 'member.added' as const,
})

/** Makes the acting user a member with this role. A member keeps their role, unless the new one is higher. */
export async function joinCampaign(db: Tx, { company_id, id }: Actor, campaign_id: string, role: MemberRole) {
  const member = { company_id, campaign_id, user_id: id, role }
  const [added] = await addMember(db, member)
  const [raised] = added || role === 'PLAYER' ? [] : await changeMemberRole(db, member)
  const reply = await getMember(db, company_id, campaign_id, id)
  const { before, after, type } = added ?? raised ?? { before: reply, after: reply, type: 'member.added' as const }
  return { before, after, event: type, reply }
}
