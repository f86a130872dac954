import type { TObject } from '@guildhall/rules/type'
import type { Db } from '../../db/client.ts'
import { isParentLive } from '../../db/parents.ts'
import { type Sight, seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Actor } from '../../http/caller.ts'
import { actorIdOf, seesCampaignOf, sightBy, type Viewer } from '../campaigns/across.ts'
import type { CampaignAccess } from '../campaigns/path-resource.ts'

export type Resource = Record<string, unknown> & { id: string }

/** The reader of a feed, with their access to the live campaigns of a page. */
export interface Reader {
  viewer: Viewer
  campaigns: Map<string, CampaignAccess>
}

/** A resource that the reader sees now. */
export interface Found {
  resource: Resource
  /** The path of the resource below the acting user, or below the company if it begins with `/`. */
  path: string
}

/** A kind of resource in the feed: how it is read, exactly as its GET shows it to the reader, and only if GET does. */
export interface Kind {
  schema: TObject
  /** Reads the resources with these ids. A resource that the reader does not see now is left out. */
  read(db: Db, reader: Reader, ids: string[], campaign_ids: string[]): Promise<Found[]>
  /**
   * Selects the users who may see the resources with these ids otherwise than the rest of their role, besides those whom the events name and the members of
   * the campaign: authors, or the players of characters.
   */
  participants: Participants[]
}

type Participants = (company_id: string, ids: string[]) => Sql
export const ownersIn =
  (table: string, column = 'user_id'): Participants =>
  (company_id, ids) =>
    sql`SELECT x.${sql.id(column)} AS user_id FROM ${sql.id(table)} x WHERE x.company_id = ${company_id} AND x.id = ANY (${ids}::uuid[])`
export const playersIn =
  (table: string): Participants =>
  (company_id, ids) =>
    sql`SELECT y.user_id FROM ${sql.id(table)} x JOIN characters y ON y.company_id = ${company_id} AND y.id = x.character_id
      WHERE x.company_id = ${company_id} AND x.id = ANY (${ids}::uuid[])`

/** The acting user as resources take them. A key without an acting user sees what an ADMIN sees, or what a player in no campaign sees. */
export const actorOf = (viewer: Viewer): Actor =>
  viewer.actor ?? { id: actorIdOf(viewer), company_id: viewer.company_id, name: '', role: seesAll(viewer) ? 'ADMIN' : 'PLAYER' }
const seesAll = ({ actor, permission }: Viewer) => (actor ? actor.role === 'ADMIN' : permission === 'ADMIN' || permission === 'OWNER')

/** The condition that something belongs to the acting user. A key without an acting user that sees everything sees it, too. */
export const isOwn = (viewer: Viewer, owner: Sql) =>
  sql`(${owner} = ${actorIdOf(viewer)} OR ${viewer.actor === null && seesAll(viewer)}::boolean)`

interface Pieces {
  company_id: string
  viewer: Viewer
  sight: Sight
  /** The campaign of the row `x` is live and exists for the reader. */
  inLiveCampaign: Sql
  /** The character of the row `x` is live, and the reader sees it and its sheet; true without a character. */
  onSeenSheet: Sql
}

function piecesFor(viewer: Viewer): Pieces {
  const { company_id } = viewer
  const sight = sightBy(viewer, sql`x.campaign_id`)
  const ofParent = sightBy(viewer, sql`parent.campaign_id`)
  const isSeen = sql` AND ${seen(ofParent, sql`parent.visibility`)} AND ${seesSheet(ofParent, sql`parent`)}`
  return {
    company_id,
    viewer,
    sight,
    inLiveCampaign: seesCampaignOf(viewer, sql`x.campaign_id`),
    onSeenSheet: isParentLive(
      company_id,
      'characters',
      sql`x.character_id`,
      sql`${isSeen} AND ${seesCampaignOf(viewer, sql`parent.campaign_id`)}`,
    ),
  }
}

interface Selection {
  table: string
  participants: Participants[]
  columns: (pieces: Pieces) => Sql
  where: (pieces: Pieces) => Sql
}

/** A kind whose rows are selected by their ids, with the condition of its lists. */
export const selected = (
  schema: TObject,
  { table, columns, where, participants }: Selection,
  path: (row: Resource) => string,
  shape: (row: Resource) => Resource = (row) => row,
): Kind => ({
  schema,
  participants,
  read: async (db, { viewer }, ids) => {
    const pieces = piecesFor(viewer)
    const rows = await db.query<Resource>(sql`
      SELECT ${columns(pieces)} FROM ${sql.id(table)} x
      WHERE x.company_id = ${viewer.company_id} AND x.id = ANY (${ids}::uuid[]) AND ${where(pieces)}`)
    return rows.map((row) => ({ resource: shape(row), path: path(row) }))
  },
})

export const withPath = (rows: Resource[], path: (row: Resource) => string): Found[] =>
  rows.map((resource) => ({ resource, path: path(resource) }))
