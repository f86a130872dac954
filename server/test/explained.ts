import pg from 'pg'

/** A statement with its values. */
export interface Recorded {
  text: string
  values: unknown[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** The rows that a plan read from tables and indexes, by the name of the index or table. `skips` leaves out a node with everything below it. */
function rowsRead(node: PlanNode, skips: (node: PlanNode) => boolean, read: Record<string, number> = {}): Record<string, number> {
  if (skips(node)) return read
  const name = node['Index Name'] ?? node['Relation Name']
  if (name) {
    const rows = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    read[name] = (read[name] ?? 0) + rows * node['Actual Loops']
  }
  for (const child of node.Plans ?? []) rowsRead(child, skips, read)
  return read
}

/** A value of a statement as SQL. */
function literal(value: unknown): string {
  if (value === null) return 'NULL'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join()}}`)
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

/** Makes the plans of a connection those of the service. */
export const setGenericPlans = (client: pg.Client) => client.query("SET enable_seqscan = off; SET plan_cache_mode = 'force_generic_plan'")

let prepared = 0

/** Runs a statement, and returns the rows that it read by the name of the index or table. `uncounted` leaves out the rows that were read to count a total. */
export async function rowsReadBy(client: pg.Client, { text, values }: Recorded, uncounted = false): Promise<Record<string, number>> {
  const name = `explained_${++prepared}`
  // A prepared statement gets the generic plan that the service has, too.
  await client.query(`PREPARE ${name} AS ${text}`)
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name} (${values.map(literal)})`,
  )
  const { Plan } = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0]
  return rowsRead(Plan, (node) => uncounted && node['Node Type'] === 'Aggregate')
}
