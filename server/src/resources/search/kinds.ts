import { type Sight, seen } from '../../db/sight.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { membership } from '../campaigns/place.ts'
import type { HitType } from './schema.ts'

/** A kind of thing that is found: where it is read, whom it is for, and what is shown of it. */
export interface Kind {
  type: HitType
  table: string
  /** Whether it has texts besides its name. */
  texts: boolean
  /** What a row `x` needs to be there at all, and to be seen. */
  join: Sql
  where: Sql
  /** Its text, and the ids its path is made of, read from the row `x`. */
  text: Sql
  name: Sql
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

/** The kinds as somebody sees them: each with the predicate that its own lists have. */
export function kinds(sight: Sight): Kind[] {
  const campaign = sql`campaigns campaign ON campaign.company_id = x.company_id AND campaign.id = x.campaign_id`
  const told = membership(sql`${sight.user_id}::uuid`)
  const live = sql`JOIN ${campaign} AND campaign.date_archived IS NULL ${told}`
  const name = sql`x.name`
  const text = sql`x.description`
  return [
    { type: 'campaign', table: 'campaigns', texts: true, join: sql``, where: sql`true`, text, name, ids: ids({ campaign_id: sql`x.id` }) },
    {
      type: 'character',
      table: 'characters',
      texts: true,
      join: live,
      where: seen(sight, sql`x.visibility`),
      text: sql`concat_ws(E'\n', nullif(x.concept, ''), nullif(x.biography, ''))`,
      name,
      ids: ids({ ...inCampaign, character_id: sql`x.id` }),
    },
    {
      type: 'book',
      table: 'books',
      texts: true,
      join: live,
      where: sql`true`,
      text,
      name,
      ids: ids({ ...inCampaign, book_id: sql`x.id` }),
    },
    {
      type: 'chapter',
      table: 'chapters',
      texts: true,
      join: sql`${live} JOIN books book ON book.company_id = x.company_id AND book.id = x.book_id AND book.date_archived IS NULL`,
      where: sql`true`,
      text,
      name,
      ids: ids({ ...inCampaign, book_id: sql`x.book_id`, chapter_id: sql`x.id` }),
    },
    {
      type: 'note',
      table: 'notes',
      texts: true,
      join: sql`LEFT JOIN ${campaign} ${told}
        LEFT JOIN books book ON book.company_id = x.company_id AND book.id = x.book_id
        LEFT JOIN chapters chapter ON chapter.company_id = x.company_id AND chapter.id = x.chapter_id
        LEFT JOIN characters subject ON subject.company_id = x.company_id AND subject.id = x.character_id`,
      // A notebook is gone with its author.
      where: sql`(x.campaign_id IS NOT NULL OR EXISTS (
          SELECT FROM users author WHERE author.company_id = x.company_id AND author.id = x.author_id AND author.date_archived IS NULL))
        AND campaign.date_archived IS NULL AND book.date_archived IS NULL AND chapter.date_archived IS NULL
        AND subject.date_archived IS NULL AND (subject.id IS NULL OR ${seen(sight, sql`subject.visibility`)})
        AND ${seen(sight, sql`x.visibility`, sql`x.author_id`)}`,
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
      join: sql``,
      where: sql`true`,
      text: sql`NULL::text`,
      name,
      ids: ids({}),
    },
  ]
}
