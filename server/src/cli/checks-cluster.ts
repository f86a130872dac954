import type pg from 'pg'
import { isCoordinator, locationsOf, undeclaredOf } from '../db/cluster-state.ts'
import { describe } from '../db/distribute.ts'
import { engineOf } from '../db/driver/engine.ts'
import { missingWorkerSettings } from '../db/worker-settings.ts'
import { declaredTables } from '../resources/declarations.ts'
import { type Finding, good, type Query, warning, wrong } from './finding.ts'

/** The checks of a Citus cluster: its nodes, where the tables are, and what each worker has. None on any other database. */
export async function checkCluster(client: pg.ClientBase, query: Query): Promise<Finding[]> {
  const [extension] = await query("SELECT FROM pg_extension WHERE extname = 'citus'")
  if (!extension) return []
  const [row] = await query<{ version: string }>("SELECT (regexp_match(citus_version(), 'Citus ([0-9.]+)'))[1] AS version")
  const engine = `Citus ${row?.version}`
  if ((await engineOf(client)) === 'postgresql')
    return [warning('cluster', `${engine}, but no company is distributed`, 'Run guildhall distribute, or drop the extension.')]
  const nodes = await query<Node>(`
    SELECT nodename || ':' || nodeport AS name, groupid AS group, shouldhaveshards AS "hasShards" FROM pg_dist_node
    WHERE noderole = 'primary' AND isactive ORDER BY groupid`)
  const workers = nodes.filter(({ hasShards }) => hasShards)
  const seen = (await isCoordinator(client)) ? 'the coordinator' : 'a worker'
  const cluster = good('cluster', `${engine}, ${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}, seen from ${seen}`)
  const reachable = await checkNodes(query)
  const tables = await checkTables(client)
  if (reachable.state === 'wrong') return [cluster, reachable, tables]
  return [cluster, reachable, tables, await checkPlacements(query), await checkShards(query, workers), await checkWorkerSettings(client)]
}

interface Node {
  name: string
  group: number
  hasShards: boolean
}

/** Every node must reach every other one. A connection attempt may take citus.node_connection_timeout. */
async function checkNodes(query: Query): Promise<Finding> {
  const failed = await query<{ name: string; sources: string[] }>(`
    SELECT to_nodename || ':' || to_nodeport AS name, array_agg(DISTINCT from_nodename || ':' || from_nodeport) AS sources
    FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE GROUP BY 1 ORDER BY count(*) DESC, 1`)
  const [first] = failed
  if (!first) return good('workers', 'every node reaches every other one')
  const from = first.sources.filter((source) => source !== first.name)
  return wrong(
    'workers',
    `${first.name} cannot be reached from ${from.join(', ') || 'itself'}`,
    'Start this node, or repair the network between them. Its companies are unavailable until then, and the data was not checked.',
  )
}

async function checkTables(client: pg.ClientBase): Promise<Finding> {
  const locations = await locationsOf(client)
  const [undeclared] = undeclaredOf(locations)
  if (undeclared)
    return wrong('tables', `${undeclared} is not a table of Guildhall`, 'Move it to another schema: migrations refuse to run beside it.')
  const misplaced = declaredTables().filter((table) => {
    const location = locations.get(table.name)
    return location !== undefined && location !== table.distribution
  })
  const [first] = misplaced
  if (!first) return good('tables', `all ${locations.size} are distributed as declared`)
  const location = locations.get(first.name) ?? 'other'
  return wrong(
    'tables',
    `${misplaced.map(({ name }) => name).join(', ')}: ${describe(location)} instead of ${describe(first.distribution)}`,
    location === 'local'
      ? 'Run guildhall distribute.'
      : `Run SELECT undistribute_table('${first.name}', cascade_via_foreign_keys => true), then guildhall distribute.`,
  )
}

/** Finds shards without a placement, or with one that is not valid, and what a move of shards left behind. */
async function checkPlacements(query: Query): Promise<Finding> {
  const [row] = await query<{ invalid: number; left: number }>(`
    SELECT (SELECT count(*)::int FROM pg_dist_shard s
        WHERE NOT EXISTS (SELECT FROM pg_dist_placement p WHERE p.shardid = s.shardid AND p.shardstate = 1)) AS invalid,
      (SELECT count(*)::int FROM pg_dist_cleanup) AS left`)
  const { invalid = 0, left = 0 } = row ?? {}
  if (invalid) return wrong('placements', `${invalid} shards have no valid placement`, 'Restore a backup into a new cluster.')
  if (left)
    return warning(
      'placements',
      `a move of shards left ${left} objects behind`,
      'Wait a minute, or run CALL citus_cleanup_orphaned_resources().',
    )
  return good('placements', 'every shard has a valid placement')
}

/** Counts the shards of the companies on each worker, and the companies in them. */
async function checkShards(query: Query, workers: Node[]): Promise<Finding> {
  const counts = await query<{ name: string; shards: number; companies: number; failed: number }>(`
    SELECT nodename || ':' || nodeport AS name, count(*)::int AS shards, sum(CASE WHEN success THEN result::int END)::int AS companies,
      count(*) FILTER (WHERE NOT success)::int AS failed
    FROM run_command_on_placements('companies', 'SELECT count(*) FROM %s') GROUP BY 1`)
  const found = workers.map(({ name }) => {
    const { shards = 0, companies = 0 } = counts.find((count) => count.name === name) ?? {}
    return { name, shards, companies }
  })
  const text = found.map(({ name, shards, companies }) => `${name} has ${shards} with ${companies} companies`).join(', ')
  if (counts.some(({ failed }) => failed)) return wrong('shards', `${text}; some cannot be read`, 'See the log of the workers.')
  if (found.some(({ shards }) => shards === 0)) return warning('shards', text, 'Run SELECT citus_rebalance_start() on the coordinator.')
  return good('shards', text)
}

async function checkWorkerSettings(client: pg.ClientBase): Promise<Finding> {
  const missing = await missingWorkerSettings(client)
  if (!missing) return good('worker settings', 'stored on every node')
  return wrong('worker settings', `some node lacks ${missing.join(', ')}`, 'Run guildhall distribute, then restart the service.')
}
