import type { TObject, TSchema } from '@guildhall/rules/type'
import { hasMetadata } from '../core/excerpt.ts'
import { type Cut, columnsOf, excerptColumnsOf, type Mask, maskedColumnsOf, orderedFieldsOf } from './columns.ts'
import { declareTable, type TableDeclaration } from './registry.ts'
import { type Sql, sql } from './sql.ts'

/** The condition that every read and write must contain: the tenant if the table has one, otherwise any of its fields. */
export type Scope<Row> = Row extends { company_id: string } ? { company_id: string } & Partial<Row> : Partial<Row>

/** A unique index of live rows: the columns that it is on, besides the company, and the message for a value that is taken. */
export interface UniqueIndex {
  columns: string[]
  message: string
}

/** The index on the external ids of a company's live rows. Companies themselves have none, because it would reveal other tenants. */
const externalIdOf = (name: string, { properties }: TObject, noun: string): Record<string, UniqueIndex> =>
  'external_id' in properties && 'company_id' in properties
    ? {
        [`${name}_external_id`]: {
          columns: ['external_id'],
          message: `Another ${noun.toLowerCase()} of this company has this external_id. Use that one, or choose another value.`,
        },
      }
    : {}

export interface TableOptions extends TableDeclaration {
  /** The word for one row in messages, as in `User not found`. */
  noun: string
  /** The unique indexes that a request can violate, by name. The one on `external_id` is implied. */
  conflicts?: Record<string, UniqueIndex>
  /** The field whose folded text is `name_key`, if it is neither `name` nor `title`. */
  named?: string
  /** Fields whose folded texts are searched, together in `text_key`. */
  texts?: string[]
  /** The replacements for large fields that are not texts, in lists, of the rows `from`. */
  cuts?: (from: Sql) => Record<string, Cut>
}

/** A table and everything that follows from its schema, derived once. */
export interface TableSpec extends Required<Pick<TableOptions, 'noun' | 'conflicts' | 'texts' | 'purges' | 'counts'>> {
  name: string
  named: string | undefined
  schema: TObject
  from: Sql
  columns: Sql
  /** The fields that are stored a second time, as they were sent. */
  ordered: string[]
  /** The columns of an excerpt, for an alias that a list gives its rows, and without the values that a mask hides. */
  excerptOf: (from: string, mask?: Mask) => Sql
  /** True if DELETE archives a row of this table and keeps it. */
  archives: boolean
  /**
   * True if an inserted row is known without reading it back: columns have no defaults, and none of these is jsonb, which the database
   * writes in a form of its own. Metadata is stored as json, and stays as it was sent.
   */
  isKnownFromValues: boolean
  /** The values of columns that an insert does not name. */
  defaults: Record<string, unknown>
}

/** The rows of a table that one reader or writer can reach. */
export interface View {
  spec: TableSpec
  /** Conditions of every statement, such as those of visibility. */
  conditions: Sql[]
  /** Columns that are computed for each row that is read. */
  computed?: Sql | undefined
  /** The fields that the reader sees only in some rows. Reads leave out the others; writes return whole rows. */
  mask?: Mask | undefined
}

const SCALARS = new Set<string | undefined>(['string', 'integer', 'number', 'boolean', 'null'])
const isScalar = (field: TSchema) => [(field as { type?: string }).type].flat().every((type) => SCALARS.has(type))

/** Declares a table, and derives its spec. */
export function specOf(name: string, schema: TObject, options: TableOptions): TableSpec {
  const { noun, conflicts = {}, named, texts = [], cuts, ...declaration } = options
  const { purges = false, counts = false } = declaration
  const excerptOf = (from: string, mask?: Mask) => excerptColumnsOf(schema, from, cuts?.(sql.id(from)), mask)
  const excerpts = new Map(['page', 'far', name].map((from) => [from, excerptOf(from)]))
  declareTable(name, schema, declaration)
  return {
    noun,
    conflicts: { ...externalIdOf(name, schema, noun), ...conflicts },
    named,
    texts,
    purges,
    counts,
    name,
    schema,
    from: sql.id(name),
    columns: columnsOf(schema),
    ordered: orderedFieldsOf(schema),
    excerptOf: (from, mask) => (mask ? undefined : excerpts.get(from)) ?? excerptOf(from, mask),
    archives: 'date_archived' in schema.properties,
    isKnownFromValues: Object.entries<TSchema>(schema.properties).every(([field, value]) => field === 'metadata' || isScalar(value)),
    defaults: hasMetadata(schema) ? { metadata: {} } : {},
  }
}

/** The columns of a row as the reader of the view sees it. */
export const columnsIn = ({ spec, mask }: View): Sql => (mask ? maskedColumnsOf(spec.schema, spec.name, mask) : spec.columns)

export const and = (conditions: Sql[]): Sql => sql.join(conditions, ' AND ')

export const inScope = ({ conditions }: View, scope: object): Sql[] => [
  ...Object.entries(scope).map(([key, value]) => sql`${sql.id(key)} = ${value}`),
  ...conditions,
]

/** Live rows only. */
export const isLive = ({ spec }: View): Sql[] => (spec.archives ? [sql`date_archived IS NULL`] : [])

/** Live and archived rows, but no purged ones. */
export const isNotPurged = ({ spec }: View): Sql[] => (spec.purges ? [sql`date_purged IS NULL`] : [])
