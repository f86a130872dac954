import type { Static, TObject } from '@guildhall/rules/type'
import type { Listed } from '../core/page.ts'
import type { Db, Tx } from './client.ts'
import { type Sight, seen } from './sight.ts'
import { type Sql, sql } from './sql.ts'
import { getRow, type ListOptions, listRows } from './table-reads.ts'
import { type Scope, specOf, type TableOptions, type View } from './table-spec.ts'
import {
  type Alongside,
  archiveRow,
  type Check,
  holdRow,
  insertIfNew,
  insertRow,
  type Patch,
  removeRow,
  restoreRow,
  updateRow,
  type Values,
} from './table-writes.ts'

export type { Change } from './table-writes.ts'

/**
 * The verbs that are the same for every resource. The keys of the schema are the columns, so a field is declared once. Anything more
 * specific is plain SQL in the resource's queries.ts.
 */
export function table<S extends TObject>(name: string, schema: S, options: TableOptions) {
  const spec = specOf(name, schema, options)
  return {
    ...verbsOf<Static<S>>({ spec, conditions: [] }),
    /** The verbs on the rows that meet a condition. */
    where: (condition: Sql) => verbsOf<Static<S>>({ spec, conditions: [condition] }),
    /** The verbs whose reads have further columns. */
    with: (computed: Sql) => verbsOf<Static<S>>({ spec, conditions: [], computed }),
  }
}

interface SecretOptions extends TableOptions {
  author?: string
  hides?: { fields: readonly string[]; unless: (sight: Sight, row: Sql) => Sql }
}

/**
 * A table with a `visibility`. Its rows can be reached only through the sight of a reader; a row that the reader may not see does not exist for
 * them. `author` is the column of the user who may see a row whatever its visibility. The fields that it `hides` are null for readers who see
 * the row but not these. Writes return them: a reply to a write has to leave them out.
 */
export function secretTable<S extends TObject>(name: string, schema: S, { author, hides, ...options }: SecretOptions) {
  const spec = specOf(name, schema, options)
  const authorColumn = author ? sql.id(author) : undefined
  const maskFor = (sightOn: (row: Sql) => Sight) => hides && { fields: hides.fields, isSeen: (row: Sql) => hides.unless(sightOn(row), row) }
  return {
    columns: spec.columns,
    /** `computed` are further columns of the rows that are read. A sight that depends on the row is given as a function of it. */
    seenBy: (sight: Sight | ((row: Sql) => Sight), computed?: Sql) => {
      const sightOn = typeof sight === 'function' ? sight : () => sight
      const isVisible = seen(sightOn(spec.from), sql`visibility`, authorColumn)
      return verbsOf<Static<S>>({ spec, conditions: [isVisible], computed, mask: maskFor(sightOn) })
    },
  }
}

const verbsOf = <Row>(view: View) => ({
  columns: view.spec.columns,

  list: (db: Db, scope: Scope<Row>, listed: Listed, ...[options]: ListOptions<Row>) => listRows(view, db, scope, listed, options),

  get: (db: Db, scope: Scope<Row>, ...where: Sql[]) => getRow(view, db, scope, where),

  /** Reads a live row and keeps it live until the transaction ends. */
  hold: (tx: Tx, scope: Scope<Row>) => holdRow(view, tx, scope),

  /** `alongside` are statements that become part of the insert. */
  insert: (tx: Tx, values: Scope<Row> & Record<string, unknown>, alongside: Alongside = () => []) => insertRow(view, tx, values, alongside),

  /** Inserts a row, unless a live row has its external id; then it returns null. */
  insertIfNew: (tx: Tx, values: Scope<Row> & Record<string, unknown>, alongside: Alongside = () => []) =>
    insertIfNew(view, tx, values, alongside),

  /** Applies a JSON Merge Patch. A patch that changes nothing writes nothing. */
  update: (tx: Tx, scope: Scope<Row>, patch: Patch<Row>, check?: Check<Row>) => updateRow(view, tx, scope, patch, check),

  archive: (tx: Tx, scope: Scope<Row>, check?: Check<Row>) => archiveRow(view, tx, scope, check),

  /** `values` are written with the restored row. */
  restore: (tx: Tx, scope: Scope<Row>, check?: Check<Row>, values: Values<Row> = {}) => restoreRow(view, tx, scope, check, values),

  /** Deletes a row for good: only its event stays. */
  remove: (tx: Tx, scope: Scope<Row>, ...where: Sql[]) => removeRow(view, tx, scope, where),
})
