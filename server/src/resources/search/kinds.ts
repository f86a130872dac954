import { isParentLive } from '../../db/parents.ts'
import { seen, seesSheet } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { seesCampaign, seesCampaignOf, sightBy, type Viewer } from '../campaigns/across.ts'
import { seesParents } from '../notes/queries.ts'
import type { HitType } from './schema.ts'

/** A type of resource that the search finds: its table, the condition to see a row, and the columns of a hit. */
export interface Kind {
  type: HitType
  table: string
  /** True if it has texts besides its name. */
  texts: boolean
  /** True if an exact name is looked up by itself, because a company may have more similar names than are ranked. */
  exactly?: true
  /** The condition that a row `x` exists for the caller: its parents are live, and the caller may see it. */
  where: Sql
  /** The campaign that a row `x` belongs to, or is. Null if it belongs to the company. */
  campaign_id: Sql | null
  text: Sql
  name: Sql
  /** The ids that its path consists of, besides that of the campaign. */
  ids: Sql
}

const NO_IDS = {
  author_id: sql`NULL::uuid`,
  book_id: sql`NULL::uuid`,
  chapter_id: sql`NULL::uuid`,
  character_id: sql`NULL::uuid`,
}
const ids = (known: Partial<typeof NO_IDS>) => {
  const { author_id, book_id, chapter_id, character_id } = { ...NO_IDS, ...known }
  return sql`${author_id} AS author_id, ${book_id} AS book_id, ${chapter_id} AS chapter_id, ${character_id} AS character_id`
}
const inCampaign = { campaign_id: sql`x.campaign_id` }
const described = { texts: true, text: sql`x.description`, name: sql`x.name` }

/** The kinds whose rows are in the campaign with this id, and with the condition that they are. */
export const kindsIn = (campaign_id: string, all: Kind[]): Kind[] =>
  all.flatMap((kind) => (kind.campaign_id ? [{ ...kind, where: sql`${kind.campaign_id} = ${campaign_id} AND ${kind.where}` }] : []))

/** All kinds for one viewer. Each has the same predicate as the lists of its resource. `told` selects the campaigns of a storyteller. */
export function kinds(viewer: Viewer, told: Sql): Kind[] {
  const { company_id } = viewer
  const sight = sightBy(viewer, sql`x.campaign_id`, told)
  const inLiveCampaign = seesCampaignOf(viewer, sql`x.campaign_id`)
  /** An item is in the campaign of its character, and on its sheet. */
  const sightOfItems = sightBy(viewer, sql`parent.campaign_id`, told)
  const onSeenSheet = sql` AND ${seen(sightOfItems, sql`parent.visibility`)} AND ${seesSheet(sightOfItems, sql`parent`)}
    AND ${seesCampaignOf(viewer, sql`parent.campaign_id`)}`
  return [
    {
      ...described,
      type: 'campaign',
      table: 'campaigns',
      exactly: true,
      where: seesCampaign(viewer, sql`x`),
      campaign_id: sql`x.id`,
      ids: ids({}),
    },
    {
      ...inCampaign,
      type: 'character',
      table: 'characters',
      texts: true,
      where: sql`${seen(sight, sql`x.visibility`)} AND ${inLiveCampaign}`,
      text: sql`concat_ws(E'\n', nullif(x.concept, ''), nullif(x.biography, ''))`,
      name: sql`x.name`,
      ids: ids({ character_id: sql`x.id` }),
    },
    {
      ...described,
      type: 'item',
      table: 'inventory',
      where: isParentLive(company_id, 'characters', sql`x.character_id`, onSeenSheet),
      campaign_id: sql`(SELECT y.campaign_id FROM characters y WHERE y.company_id = ${company_id} AND y.id = x.character_id)`,
      ids: ids({ character_id: sql`x.character_id` }),
    },
    { ...described, ...inCampaign, type: 'book', table: 'books', where: inLiveCampaign, ids: ids({ book_id: sql`x.id` }) },
    {
      ...described,
      ...inCampaign,
      type: 'chapter',
      table: 'chapters',
      where: sql`${inLiveCampaign} AND ${isParentLive(company_id, 'books', sql`x.book_id`)}`,
      ids: ids({ book_id: sql`x.book_id`, chapter_id: sql`x.id` }),
    },
    {
      ...inCampaign,
      type: 'note',
      table: 'notes',
      texts: true,
      // A notebook is archived with its author.
      where: sql`${seen(sight, sql`x.visibility`, sql`x.author_id`)}
        AND (x.campaign_id IS NOT NULL OR ${isParentLive(company_id, 'users', sql`x.author_id`)})
        AND ${inLiveCampaign} AND ${seesParents(company_id, sight, sql`x`)}`,
      text: sql`x.body`,
      name: sql`x.title`,
      ids: ids({
        author_id: sql`x.author_id`,
        book_id: sql`x.book_id`,
        chapter_id: sql`x.chapter_id`,
        character_id: sql`x.character_id`,
      }),
    },
    {
      type: 'user',
      table: 'users',
      texts: false,
      exactly: true,
      where: sql`true`,
      campaign_id: null,
      text: sql`NULL::text`,
      name: sql`x.name`,
      ids: ids({}),
    },
  ]
}
