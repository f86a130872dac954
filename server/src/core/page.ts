import { type Static, type TObject, Type } from '@guildhall/rules/type'
import { Excerpt } from './excerpt.ts'
import { ExternalId, Flag, Id, Int, Timestamp, Unset } from './fields.ts'

/** The part of a list that is returned. */
export const paging = {
  limit: Type.Integer({ minimum: 0, maximum: 100, default: 10, format: 'int32', description: 'Maximum number of items returned' }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    format: 'int64',
    description: 'Number of items skipped from the start. Items move between pages while others insert and delete',
  }),
}

/** The place of an item in the order of a list. Clients get it as a cursor, which the pipeline seals and opens. */
export interface ListPlace {
  /** The exact value that the list is sorted by, as PostgreSQL writes it; null if the list is in the order of ids. */
  key: string | null
  id: string
}

/** A cursor contains the folded name of an item, if the list is sorted by name. */
const MAX_CURSOR_LENGTH = 4000
const Cursor = (description: string) =>
  Type.Unsafe<ListPlace>({
    type: 'string',
    minLength: 1,
    maxLength: MAX_CURSOR_LENGTH,
    description,
    examples: ['5pT0w3nQmZk8aVxJ2uRfYc7dLh1sGb9eKi4oXq6tWyAzBvCjDpEm'],
  })

/** The part of a list that grows: by offset, or after the last item of the page before. */
export const walking = {
  ...paging,
  after: Type.Optional(
    Cursor(
      'The `next_cursor` of the page before, with the same parameters except `limit`; not with `offset`. No item that stays as it is, and in place, is repeated or skipped while others insert and delete',
    ),
  ),
}

export const MAX_IDS = 100

/** The query parameters of every list whose items have an id. */
export const page = {
  ...walking,
  ids: Type.Optional(
    Type.Array(Id('Identifier of an item'), {
      minItems: 1,
      maxItems: MAX_IDS,
      description: `Only the items with these ids, at most ${MAX_IDS}. Ids of items that do not exist, or that the caller may not see, are ignored`,
    }),
  ),
}

export const order = <const Orders extends readonly string[]>(orders: Orders) =>
  Type.Unsafe<Orders[number]>({
    type: 'string',
    enum: [...orders],
    description: 'Order of the items; `-` sorts in descending order. Default: order of creation',
  })

const byDate = ['date_created', '-date_created'] as const
const byDates = [...byDate, 'date_modified', '-date_modified'] as const
export const byName = ['name', '-name', ...byDates] as const

/** The order of items that never change. */
export const sortByDate = {
  sort: Type.Optional(order(byDate)),
}

/** The order and the filter of items that have a `date_modified`. */
export const modifiable = {
  modified_since: Type.Optional(
    Timestamp(
      'Only items that were created or changed at this time or later. A filter, not a way to synchronize: deleted items are not listed',
    ),
  ),
  sort: Type.Optional(order(byDates)),
}

/** The query parameters of lists of named resources. */
export const named = {
  ...page,
  ...modifiable,
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Part of the name to search for. A text without three letters or digits in a row matches only the beginning of names. Case and accents are ignored',
      examples: ['mina'],
    }),
  ),
  sort: Type.Optional(order(byName)),
}

/** The query parameters of lists of named resources that DELETE archives. */
export const archives = {
  ...named,
  archived: Type.Optional(Flag('`true` lists the archived resources that the caller may restore, instead of the live ones')),
}

/** The query parameter of lists of resources with an external id. */
export const byExternalId = {
  external_id: Type.Optional(ExternalId('Only the resource with this external id', 'app:17')),
}

/** The parsed query of a list. */
export interface Listed {
  limit: number
  offset: number
  after?: ListPlace
  ids?: string[]
  modified_since?: string
  q?: string
  sort?: string
  archived?: boolean
  external_id?: string
}

const envelope = <S extends TObject>(item: S) => ({
  items: Type.Array(Excerpt(item), { maxItems: 100, description: 'The requested page' }),
  limit: Int(0, 100, 'Limit that was applied', 10),
  offset: Int(0, Number.MAX_SAFE_INTEGER, 'Offset that was applied; 0 with `after`'),
  total: Int(0, Number.MAX_SAFE_INTEGER, 'Total items available across all pages', 1),
})
const titled = (item: TObject) => ({ title: `${(item as { title?: string }).title?.replace(/ListItem$/, '')}Page` })

/** The envelope of every list. Its items are excerpts: long texts are cut. */
export const Paged = <S extends TObject>(item: S) =>
  Type.Object(
    {
      ...envelope(item),
      next_cursor: Unset(
        Cursor(
          'Send it as `after` to get the next page. Null on the last page, and if `limit` is 0. It is only valid for you and this list',
        ),
      ),
    },
    titled(item),
  )
export type Paged<S extends TObject> = Static<ReturnType<typeof Paged<S>>>

/** The envelope of a list that is ranked again for each page, and so has no cursor. */
export const PagedByOffset = <S extends TObject>(item: S) => Type.Object(envelope(item), titled(item))
