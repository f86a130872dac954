import type { TObject } from '@guildhall/rules/type'
import { type Sql, sql } from './sql.ts'

/**
 * The location of the rows of a table on distributed PostgreSQL: with their company (`company`), as the row of a company (`id`), or copied to every
 * machine (`reference`).
 */
type Distribution = 'company' | 'id' | 'reference'

/** A column that refers to a parent. The row is deleted with its parent, if `when` holds. */
interface Part {
  column: string
  when?: Sql
}

/** The facts about a table that other parts of the program need, besides its columns. */
export interface TableDeclaration {
  /** The columns of the primary key. Default: company_id, id. */
  key?: string[]
  /** Default: company. */
  distribution?: Distribution
  /** Columns that refer to rows of other tables, by the name of the table. References to companies are implied. */
  references?: Record<string, string>
  /** Columns that refer to parents whose rows are deleted together with this one, by the name of the table. */
  partOf?: Record<string, string | Part>
  /** The column that refers to another row of the same table. Rows that have it are deleted first. */
  refersToItself?: string
  /** Fields of the schema that are read from other tables. */
  joined?: string[]
  /** Indexes that do not begin with company_id, on purpose. */
  indexesAcrossCompanies?: string[]
  /** True if a purged row stays, marked by `date_purged`, or is purged in several steps. */
  purges?: boolean
  /** The archived rows of `t` that are never purged, because others that stay refer to them. */
  kept?: Sql
  /** The statement to send after rows of a company were deleted, in the same transaction. */
  afterDeleting?: (company_id: string, count: number) => Sql
  /** True if the live rows of each company are counted in `counters`, because there may be many. */
  counts?: boolean
}

export interface DeclaredTable extends Required<Omit<TableDeclaration, 'refersToItself' | 'partOf' | 'kept' | 'afterDeleting'>> {
  name: string
  /** Undefined for tables whose rows are never a reply. */
  schema: TObject | undefined
  partOf: Record<string, Part>
  refersToItself: string | undefined
  kept: Sql | undefined
  afterDeleting: TableDeclaration['afterDeleting'] | undefined
}

const tables = new Map<string, DeclaredTable>()

/**
 * Declares a table. Purging, backups, the doctor, the tests of the catalog and docs/scaling.md read these declarations, so a new table
 * needs no other entry. `table` and `secretTable` declare theirs by themselves.
 */
export function declareTable(name: string, schema: TObject | undefined, declaration: TableDeclaration = {}): void {
  if (tables.has(name)) throw new Error(`Table ${name} is declared twice. Declare it once, beside its queries.`)
  const { partOf = {}, refersToItself, kept, afterDeleting, ...rest } = declaration
  tables.set(name, {
    key: ['company_id', 'id'],
    distribution: 'company',
    references: {},
    joined: [],
    indexesAcrossCompanies: [],
    purges: false,
    counts: false,
    ...rest,
    partOf: Object.fromEntries(
      Object.entries(partOf).map(([parent, part]) => [parent, typeof part === 'string' ? { column: part } : part]),
    ),
    refersToItself,
    kept,
    afterDeleting,
    name,
    schema,
  })
}

/** Every table that is declared so far. Code that needs all of them imports resources/declarations.ts. */
export const declaredTables = (): DeclaredTable[] => [...tables.values()]

export function declaredTable(name: string): DeclaredTable {
  const table = tables.get(name)
  if (!table) throw new Error(`Table ${name} is not declared. Declare it beside its queries.`)
  return table
}

/** The names of the tables whose live rows are counted. */
export const countedTables = (): string[] => declaredTables().flatMap(({ name, counts }) => (counts ? [name] : []))

/** The columns of a table that refer to others, by the name of the table they refer to. */
export const referencesOf = ({ references, partOf }: DeclaredTable): Record<string, string> => ({
  ...references,
  ...Object.fromEntries(Object.entries(partOf).map(([parent, { column }]) => [parent, column])),
})

/** Every table with a company, each before the tables that it refers to: the order in which rows can be deleted. */
export function companyTables(): DeclaredTable[] {
  const ordered: DeclaredTable[] = []
  const add = (table: DeclaredTable) => {
    if (table.distribution !== 'company' || ordered.includes(table)) return
    for (const other of declaredTables()) if (other !== table && table.name in referencesOf(other)) add(other)
    ordered.push(table)
  }
  for (const table of [...declaredTables()].sort((a, b) => (a.name < b.name ? -1 : 1))) add(table)
  return ordered
}

/** The tables whose rows are deleted with a row of the parent, children first. */
export const partsOf = (parent: string): DeclaredTable[] => companyTables().filter(({ partOf }) => parent in partOf)

/**
 * The condition on `alias` that finds the rows which are deleted with a row of the parent, either directly or as parts of its parts.
 * Undefined if no row is.
 */
export function isPartOf(table: DeclaredTable, parent: string, row: { company_id: string; id: string }, alias = 't'): Sql | undefined {
  const column = (name: string) => sql`${sql.id(alias)}.${sql.id(name)}`
  const direct = table.partOf[parent]
  if (direct) return sql`${column(direct.column)} = ${row.id}${direct.when ? sql` AND ${direct.when}` : sql``}`
  for (const [name, part] of Object.entries(table.partOf)) {
    const inner = isPartOf(declaredTable(name), parent, row, 'parent')
    if (inner)
      return sql`${column(part.column)} IN (
        SELECT parent.id FROM ${sql.id(name)} parent WHERE parent.company_id = ${row.company_id} AND ${inner})`
  }
  return undefined
}
