import type pg from 'pg'
import { type DeclaredTable, declaredTables, referencesOf } from './registry.ts'

/** The location of a table's rows, as Citus records it. `other` fits no declaration, such as a table that is distributed by another column. */
export type Location = 'company' | 'id' | 'reference' | 'local' | 'other'

/** Returns the location of every table of Guildhall's schema. */
export async function locationsOf(client: pg.ClientBase): Promise<Map<string, Location>> {
  const { rows } = await client.query<{ name: string; location: Location }>(`
    SELECT c.relname AS name, CASE
      WHEN p.logicalrelid IS NULL THEN 'local'
      WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'reference'
      WHEN p.partmethod = 'h' AND c.relname = 'companies' AND column_to_column_name(c.oid, p.partkey) = 'id' THEN 'id'
      WHEN p.partmethod = 'h' AND p.colocationid = companies.colocationid AND column_to_column_name(c.oid, p.partkey) = 'company_id' THEN 'company'
      ELSE 'other' END AS location
    FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
    LEFT JOIN pg_dist_partition companies ON companies.logicalrelid = to_regclass('public.companies')
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace ORDER BY 1`)
  return new Map(rows.map(({ name, location }) => [name, location]))
}

/** Returns the tables that are not declared. Their rows would stay on the coordinator, whoever they belong to. */
export const undeclaredOf = (locations: Map<string, Location>): string[] => {
  const declared = new Set(declaredTables().map(({ name }) => name))
  return [...locations.keys()].filter((name) => !declared.has(name))
}

/** The declared tables, each after the tables that it refers to: the order in which they can be distributed. */
export function parentsFirst(): DeclaredTable[] {
  const ordered: DeclaredTable[] = []
  const byName = new Map(declaredTables().map((table) => [table.name, table]))
  const add = (table: DeclaredTable) => {
    if (ordered.includes(table)) return
    for (const parent of Object.keys(referencesOf(table)).sort()) {
      const found = byName.get(parent)
      if (found && found !== table) add(found)
    }
    ordered.push(table)
  }
  // Every table with a company refers to it, without a declaration.
  const rank = { reference: 0, id: 1, company: 2 }
  const sorted = [...byName.values()].sort((a, b) => rank[a.distribution] - rank[b.distribution] || (a.name < b.name ? -1 : 1))
  for (const table of sorted) add(table)
  return ordered
}

/** Returns true if the server is the coordinator of its cluster. */
export async function isCoordinator(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ yes: boolean }>('SELECT citus_is_coordinator() AS yes')
  return rows[0]?.yes === true
}

/** Returns how many nodes can have the rows of companies. */
export async function countWorkers(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_dist_node WHERE isactive AND shouldhaveshards AND noderole = 'primary'",
  )
  return rows[0]?.count ?? 0
}
