import { type TObject, Type } from '@guildhall/rules/type'
import { Excerpt, grouped, MAX_LISTED_TEXT } from '../../core/excerpt.ts'
import { Int, withoutApplicationData } from '../../core/fields.ts'
import { jsonExcerptOf } from '../../db/columns.ts'
import { sql } from '../../db/sql.ts'
import { Chapter } from '../chapters/schema.ts'
import type { NumberedParts } from './operations.ts'
import { Book } from './schema.ts'

/** How many chapters a book has with `include=chapters`, and how many characters of their texts. A list has up to 100 books. */
const LIMITS = {
  one: { rows: 100, text: MAX_LISTED_TEXT, suffix: 'ListItem', schema: Chapter as TObject },
  item: { rows: 20, text: 200, suffix: 'Preview', schema: withoutApplicationData(Chapter) },
} as const
type Limits = (typeof LIMITS)['one' | 'item']

function bookWith({ rows, text, suffix, schema }: Limits, title: string): TObject {
  const chapters = Type.Array(Excerpt(schema, suffix, text), {
    maxItems: rows,
    description: `The first ${rows} chapters in the order of their numbers, with texts cut to ${grouped(text)} characters, with \`include=chapters\``,
  })
  return Type.Object(
    {
      ...Book.properties,
      chapters: Type.Optional(chapters),
      chapters_total: Type.Optional(Int(0, 2_147_483_647, 'Total number of chapters, with `include=chapters`', 1)),
    },
    { title, description: 'A book, with its chapters if `include` names them' },
  )
}

/** The chapters of a book. The window function numbers only as many rows as the LIMIT takes from the index, which has them in order. */
export const chaptersOfBook: NumberedParts = {
  query: {
    include: Type.Optional(
      Type.Array(Type.Unsafe<'chapters'>({ type: 'string', enum: ['chapters'] }), {
        minItems: 1,
        maxItems: 1,
        description: `Parts to include with each book. A single book includes its first ${LIMITS.one.rows} chapters with texts of up to ${grouped(LIMITS.one.text)} characters; a list includes the first ${LIMITS.item.rows} of each book with texts of up to ${LIMITS.item.text} characters, without \`external_id\` and \`metadata\``,
        examples: [['chapters']],
      }),
    ),
  },
  One: bookWith(LIMITS.one, 'BookWithChapters'),
  Item: bookWith(LIMITS.item, 'Book'),
  columns: (company_id, of) => (book) => {
    const { rows, text, schema } = LIMITS[of]
    const areInBook = sql`c.company_id = ${company_id} AND c.book_id = ${book}.id AND c.date_archived IS NULL`
    return sql`
      (SELECT coalesce(json_agg(${jsonExcerptOf(schema, 'chapter', text)} ORDER BY chapter.number), '[]') FROM (
        SELECT c.*, row_number() OVER (ORDER BY c.position, c.id) AS number FROM chapters c
        WHERE ${areInBook} ORDER BY c.position, c.id LIMIT ${sql.number(rows)}) chapter) AS chapters,
      (SELECT count(*) FROM chapters c WHERE ${areInBook}) AS chapters_total`
  },
}
