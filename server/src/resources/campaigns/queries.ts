import type { Role } from '../../core/access.ts'
import type { Listed } from '../../core/page.ts'
import { conflict, forbidden, notFound } from '../../core/problem.ts'
import type { Db, Tx } from '../../db/client.ts'
import { columnsOf, excerptColumnsOf } from '../../db/columns.ts'
import { totalOf } from '../../db/counters.ts'
import { list, restorableOnly, withExternalId } from '../../db/list.ts'
import { type Sight, seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { table } from '../../db/table.ts'
import type { Actor } from '../../http/caller.ts'
import { insertSeeds } from '../dice-seeds/insert.ts'
import { holdUser } from '../users/queries.ts'
import { actorIdOf, campaignsOf, reaches, seesCampaign, type Viewer, viewerOf } from './across.ts'
import { addMember, changeMemberRole, ownerRole } from './membership.ts'
import { joinMembership, sightAcross } from './path-resource.ts'
import { adjustLevels, mayTransfer, refuseTransition } from './rules.ts'
import { type Campaign, type CampaignCreate, type CampaignPatch, CampaignRow, type Level, MAX_LEVEL, type Status } from './schema.ts'

const campaigns = table('campaigns', CampaignRow, {
  noun: 'Campaign',
  texts: ['description'],
  references: { users: 'user_id', ruleset_versions: 'ruleset_version_id' },
  purges: true,
  counts: true,
})

const live = sql`x.date_archived IS NULL`
/** Counts the resources in the row `campaign` that are visible to this sight. They are counted on every read and never stored. */
function counts(company_id: string, sight: Sight): Sql {
  const inCampaign = sql`x.company_id = ${company_id} AND x.campaign_id = campaign.id`
  return sql`json_build_object(
    'members', (SELECT count(*) FROM members x WHERE ${inCampaign}
      AND (SELECT y.date_archived IS NULL FROM users y WHERE y.company_id = ${company_id} AND y.id = x.user_id)),
    'player_characters', (SELECT count(*) FROM characters x WHERE ${inCampaign} AND ${live} AND x.type = 'PLAYER'),
    'npcs', (SELECT count(*) FROM characters x WHERE ${inCampaign} AND ${live} AND x.type = 'NPC' AND ${seen(sight, sql`x.visibility`)}),
    'books', (SELECT count(*) FROM books x WHERE ${inCampaign} AND ${live})) AS counts`
}

const columns = columnsOf(CampaignRow, 'campaign')
const shown = excerptColumnsOf(CampaignRow, 'campaign')
const countsFor = (viewer: Viewer) => counts(viewer.company_id, sightAcross(viewer))
const joinOwnMembership = (viewer: Viewer) => joinMembership(viewer.company_id, sql`${actorIdOf(viewer)}`)
const from = (viewer: Viewer) => sql`campaigns campaign ${joinOwnMembership(viewer)}`

/** The number of live campaigns that exist for the viewer: all but the private ones of others, of which there are few. */
const totalFor = (viewer: Viewer): Sql => sql`(${totalOf('campaigns', viewer.company_id)} - (SELECT count(*) FROM campaigns campaign
  WHERE campaign.company_id = ${viewer.company_id} AND campaign.access = 'MEMBERS' AND campaign.date_archived IS NULL AND NOT ${reaches(viewer, sql`campaign`)}))`

interface Filters extends Listed {
  status?: Status
  owner_id?: string
  /** Only campaigns that the acting user owns or is a member of. */
  mine?: boolean
}

export function listCampaigns(db: Db, viewer: Viewer, filters: Filters) {
  const { company_id, actor } = viewer
  const { status, owner_id, mine, archived } = filters
  const where = [sql`campaign.company_id = ${company_id}`]
  if (status) where.push(sql`campaign.status = ${status}`)
  if (owner_id) where.push(sql`campaign.user_id = ${owner_id}`)
  where.push(...withExternalId(filters, sql`campaign.external_id`))
  // An array is looked up by the primary key. A plan for IN may walk through all campaigns of the company.
  if (mine && actor) where.push(sql`campaign.id = ANY (ARRAY(${campaignsOf(actor)}))`)
  const { all, isStoryteller } = sightAcross(viewer)
  const restorable = sql`${all}::boolean OR campaign.user_id = ${actorIdOf(viewer)} OR (${isStoryteller})::boolean`
  const live = seesCampaign(viewer, sql`campaign`)
  where.push(archived ? sql`campaign.date_archived IS NOT NULL AND campaign.date_purged IS NULL` : live)
  where.push(...restorableOnly(filters, restorable))
  const extras = { page: 'campaign', columns: countsFor(viewer), join: joinOwnMembership(viewer) }
  const total = where.length === 2 && !archived ? totalFor(viewer) : undefined
  const [name, id, modified] = [sql`campaign.name_key`, sql`campaign.id`, sql`campaign.date_modified`]
  return list<Campaign>(db, { columns, shown, from: from(viewer), where, name, id, modified, extras, total }, filters)
}

/** Selects the live campaigns with these ids that exist for a viewer, as they see them. */
export const selectCampaigns = (viewer: Viewer, isAsked: Sql): Sql => sql`
    SELECT ${columns}, ${countsFor(viewer)} FROM ${from(viewer)}
    WHERE campaign.company_id = ${viewer.company_id} AND campaign.id ${isAsked} AND ${seesCampaign(viewer, sql`campaign`)}`

export async function getCampaign(db: Db, actor: Actor, id: string): Promise<Campaign> {
  const [found] = await db.query<Campaign>(selectCampaigns(viewerOf(actor), sql`= ${id}`))
  return found ?? notFound('Campaign')
}

/** The counterpart of `ownerRole` for a role that is already known. */
const memberRole = (role: Role): 'PLAYER' | 'STORYTELLER' => (role === 'PLAYER' ? 'PLAYER' : 'STORYTELLER')

/** The creator becomes the owner and the first member. */
export async function createCampaign(db: Tx, actor: Actor, body: CampaignCreate) {
  const { id: user_id, company_id, role } = actor
  const values = { danger: 0, desperation: 0, ...body, company_id, user_id, ruleset_version_id: null, ruleset_mode: null }
  const seedsOf = (campaign_id: string) => [false, true].map((secret) => ({ company_id, campaign_id, secret }))
  const { before, after } = await campaigns.insert(db, values, (id) => [insertSeeds(db, seedsOf(id))])
  const sideEvents = await addMember(db, { company_id, campaign_id: after.id, user_id, role: memberRole(role) })
  return { before, after, reply: await getCampaign(db, actor, after.id), sideEvents }
}

/** Rejects a change of `experience_per` once the ledger has an entry: the balances of users cannot become those of characters. */
async function refuseEntries(db: Db, company_id: string, id: string, experience_per: string): Promise<void> {
  const [entry] = await db.query(
    sql`SELECT 1 AS one FROM experience_entries WHERE company_id = ${company_id} AND campaign_id = ${id} LIMIT 1`,
  )
  if (entry)
    conflict(
      'experience_exists',
      `Experience has been awarded in this campaign, so experience_per stays ${experience_per}. Create another campaign to use the other value.`,
    )
}

export async function updateCampaign(db: Tx, actor: Actor, id: string, patch: CampaignPatch) {
  const { company_id } = actor
  // Waits for awards that are in progress, so that the check below sees their entries. Later awards wait for this change.
  if (patch.experience_per) db.send(sql`SELECT id FROM campaigns WHERE company_id = ${company_id} AND id = ${id} FOR UPDATE`)
  const change = await campaigns.update(db, { company_id, id }, patch, async ({ status, experience_per }) => {
    refuseTransition(status, patch.status)
    if (patch.experience_per && patch.experience_per !== experience_per) await refuseEntries(db, company_id, id, experience_per)
  })
  return { ...change, reply: await getCampaign(db, actor, id) }
}

export async function adjustCampaign(db: Tx, actor: Actor, id: string, deltas: { [name in Level]?: number }) {
  const { company_id } = actor
  const change = await campaigns.update(db, { company_id, id }, (campaign) => adjustLevels(campaign, deltas))
  return { ...change, reply: await getCampaign(db, actor, id) }
}

/** Raises danger by one, up to the maximum: the price of overreaching. */
export const raiseDanger = (db: Tx, company_id: string, id: string) =>
  campaigns.update(db, { company_id, id }, ({ danger }) => ({ danger: Math.min(danger + 1, MAX_LEVEL) }))

/** Sets the version of a ruleset that a campaign is played by, or none. */
export const setRuleset = (db: Tx, company_id: string, id: string, ruleset: Pick<Campaign, 'ruleset_version_id' | 'ruleset_mode'>) =>
  campaigns.update(db, { company_id, id }, ruleset)

export const archiveCampaign = (db: Tx, { company_id }: Actor, id: string) => campaigns.archive(db, { company_id, id })

export async function restoreCampaign(db: Tx, actor: Actor, id: string) {
  const { company_id } = actor
  const change = await campaigns.restore(db, { company_id, id })
  return { ...change, reply: await getCampaign(db, actor, id) }
}

/** The former owner stays a member with the role they had as owner. The new owner gets the highest role that their role in the company allows. */
export async function transferCampaign(db: Tx, actor: Actor, id: string, user_id: string) {
  const { company_id } = actor
  const user = await holdUser(db, company_id, user_id)
  const change = await campaigns.update(db, { company_id, id }, { user_id }, (row) => {
    const context = { actor, campaign: row }
    return mayTransfer(context) || forbidden(mayTransfer.why(context))
  })
  db.send(sql`
    UPDATE members m SET role = ${ownerRole(sql`u.role`)}
    FROM users u
    WHERE m.company_id = ${company_id} AND m.campaign_id = ${id} AND m.user_id = ${change.before.user_id}
      AND u.company_id = ${company_id} AND u.id = m.user_id`)
  const owner = { company_id, campaign_id: id, user_id, role: memberRole(user.role) }
  const sideEvents = [...(await addMember(db, owner)), ...(await changeMemberRole(db, owner))]
  return { ...change, reply: await getCampaign(db, actor, id), sideEvents }
}

/** Locks a campaign while its members change. */
export const lockCampaign = (db: Tx, company_id: string, id: string) =>
  db.query(sql`SELECT id FROM campaigns WHERE company_id = ${company_id} AND id = ${id} FOR NO KEY UPDATE`)
