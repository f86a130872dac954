import { type Sight, seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { HitType } from './schema.ts'

/** A type of resource that the search finds: its table, the condition to see a row, and the columns of a hit. */
export interface Kind {
  type: HitType
  table: string
  /** True if it has texts besides its name. */
  texts: boolean
  /** True if an index finds a name in the whole company, not only in one campaign. */
  byName: boolean
  /** The condition that a row `x` exists for the caller: its parents are live, and the caller may see it. */
  where: Sql
  text: Sql
  name: Sql
  /** The ids that its path consists of. */
  ids: Sql
}

const NO_IDS = {
  author_id: sql`NULL::uuid`,
  campaign_id: sql`NULL::uuid`,
  book_id: sql`NULL::uuid`,
  chapter_id: sql`NULL::uuid`,
  character_id: sql`NULL::uuid`,
}
const ids = (known: Partial<typeof NO_IDS>) => {
  const { author_id, campaign_id, book_id, chapter_id, character_id } = { ...NO_IDS, ...known }
  return sql`${author_id} AS author_id, ${campaign_id} AS campaign_id, ${book_id} AS book_id, ${chapter_id} AS chapter_id, ${character_id} AS character_id`
}
const inCampaign = { campaign_id: sql`x.campaign_id` }

/**
 * True if the row that `x` refers to is live, or `x` refers to none. This is a subquery for each row instead of a join, so that it runs only for
 * rows that pass the cheaper conditions, and stops with the search when enough rows are found.
 */
const isLive = (company_id: string, table: string, reference: Sql, condition = sql``) =>
  sql`coalesce((SELECT y.date_archived IS NULL${condition} FROM ${sql.id(table)} y WHERE y.company_id = ${company_id} AND y.id = x.${reference}), true)`

/** The condition that a campaign exists for the caller. */
export interface Reach {
  isReachable(campaign: Sql): Sql
}

/** All kinds for one sight. Each has the same predicate as the lists of its resource. */
export function kinds(company_id: string, sight: Sight & Pick<Reach, 'isReachable'>): Kind[] {
  const live = (table: string, reference: Sql, condition?: Sql) => isLive(company_id, table, reference, condition)
  const { isReachable } = sight
  const inLiveCampaign = live('campaigns', sql`campaign_id`, sql` AND ${isReachable(sql`y`)}`)
  const described = { texts: true, text: sql`x.description`, name: sql`x.name` }
  return [
    { ...described, type: 'campaign', table: 'campaigns', byName: true, where: isReachable(sql`x`), ids: ids({ campaign_id: sql`x.id` }) },
    {
      type: 'character',
      table: 'characters',
      texts: true,
      byName: false,
      where: sql`${seen(sight, sql`x.visibility`)} AND ${inLiveCampaign}`,
      text: sql`concat_ws(E'\n', nullif(x.concept, ''), nullif(x.biography, ''))`,
      name: sql`x.name`,
      ids: ids({ ...inCampaign, character_id: sql`x.id` }),
    },
    { ...described, type: 'book', table: 'books', byName: false, where: inLiveCampaign, ids: ids({ ...inCampaign, book_id: sql`x.id` }) },
    {
      ...described,
      type: 'chapter',
      table: 'chapters',
      byName: false,
      where: sql`${inLiveCampaign} AND ${live('books', sql`book_id`)}`,
      ids: ids({ ...inCampaign, book_id: sql`x.book_id`, chapter_id: sql`x.id` }),
    },
    {
      type: 'note',
      table: 'notes',
      texts: true,
      byName: false,
      // A notebook is archived with its author.
      where: sql`${seen(sight, sql`x.visibility`, sql`x.author_id`)}
        AND (x.campaign_id IS NOT NULL OR ${live('users', sql`author_id`)})
        AND ${inLiveCampaign} AND ${live('books', sql`book_id`)} AND ${live('chapters', sql`chapter_id`)}
        AND ${live('characters', sql`character_id`, sql` AND ${seen(sight, sql`y.visibility`)}`)}`,
      text: sql`x.body`,
      name: sql`x.title`,
      ids: ids({
        ...inCampaign,
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
      byName: true,
      where: sql`true`,
      text: sql`NULL::text`,
      name: sql`x.name`,
      ids: ids({}),
    },
  ]
}
