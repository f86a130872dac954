import { conflict, notFound } from '../../core/problem.ts'
import { assertInTransaction } from '../../db/assert-in-transaction.ts'
import type { Tx } from '../../db/client.ts'
import { sql } from '../../db/sql.ts'
import type { PathResource } from '../path.ts'
import { nounOf, type Plan } from '../plan.ts'
import type { PathRowsByName } from './session-state.ts'

/**
 * Locks the parents of a written row, so that they cannot be archived before the transaction commits: archiving takes FOR UPDATE, which waits for this lock. They were
 * live when the caller was identified, except for a restore, which `refuseUnderArchived` rejects later. If one is not live any more, nothing is written.
 */
export function holdParents(tx: Tx, plan: Plan, company_id: string, pathRows: PathRowsByName): void {
  const { parents } = plan
  if (parents.length === 0 || archivedParent(plan, pathRows)) return
  const tables = parents.map(({ name, table }) => sql`${sql.id(table as string)} ${sql.id(name)}`)
  const conditions = parents.map(({ name }) => {
    const row = sql.id(name)
    return sql`${row}.company_id = ${company_id} AND ${row}.id = ${pathRows[name]?.id} AND ${row}.date_archived IS NULL`
  })
  const held = sql`(
    SELECT true FROM ${sql.join(tables, ', ')}
    WHERE ${sql.join(conditions, ' AND ')} FOR ${plan.alone ? sql`UPDATE` : sql`KEY SHARE`})`
  assertInTransaction(tx, held, () => refuse(plan, parents[0] as PathResource))
}

/** Rejects a restore below an archived parent. It is called after the operation has run, so that every other rejection comes first. */
export function refuseUnderArchived(plan: Plan, pathRows: PathRowsByName): void {
  const archived = archivedParent(plan, pathRows)
  if (archived) refuse(plan, archived)
}

const archivedParent = ({ parents }: Plan, pathRows: PathRowsByName) => parents.find(({ name }) => pathRows[name]?.archived)

const refuse = ({ act }: Plan, { name }: PathResource) =>
  act === 'restore'
    ? conflict('parent_archived', `The ${name} this belongs to is archived. Restore the ${name} first.`)
    : notFound(nounOf(name))
