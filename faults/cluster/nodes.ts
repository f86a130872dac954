import { type ClusterNode, runAt, urlOfNode } from '../../server/test/citus.ts'
import type { Client } from '../client.ts'
import { newDevelopers } from '../company.ts'
import type { Deployment } from '../deployment.ts'
import type { Stage } from '../perform.ts'

/** The database of the service on a node. */
export const urlAt = ({ port }: ClusterNode) => urlOfNode(port, 'guildhall')

export function nodesOf({ nodes }: Deployment): { coordinator: ClusterNode; workers: [ClusterNode, ClusterNode] } {
  const [coordinator, one, other] = nodes
  if (!coordinator || !one || !other) throw new Error('the deployment is not a cluster')
  return { coordinator, workers: [one, other] }
}

export interface Placement {
  /** The shard of the table `companies`; those of all other tables move with it. */
  shard: string
  /** The port of the worker that has it. */
  port: number
}

/** Returns the shard of a company, and its worker. */
export async function placementOf({ query }: Deployment, company_id: string): Promise<Placement> {
  const [placement] = await query<Placement>(
    `SELECT shardid::text AS shard, nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
     WHERE shardid = get_shard_id_for_distribution_column('companies', $1::uuid)`,
    [company_id],
  )
  if (!placement) throw new Error(`company ${company_id} has no shard`)
  return placement
}

/** Creates companies until each worker has some. Returns the port of the worker of each company. */
export async function coverWorkers({ deployment, companies, addCompany }: Stage): Promise<Map<string, number>> {
  const { workers } = nodesOf(deployment)
  const portOf = new Map<string, number>()
  const locate = async (company_id: string) => portOf.set(company_id, (await placementOf(deployment, company_id)).port)
  for (const { company_id } of companies) await locate(company_id)
  const isCovered = ({ port }: ClusterNode) => [...portOf.values()].filter((one) => one === port).length >= 2
  while (!workers.every(isCovered)) {
    const [developer] = await newDevelopers(deployment.url, 1)
    if (!developer) throw new Error('no developer')
    await locate((await addCompany(developer)).company_id)
  }
  return portOf
}

/** Lets the client wait for a node like one that honors Retry-After: each attempt costs a process on a node that is just starting. */
export function waitPatiently(client: Client): void {
  client.maxPauseMs = 2000
  client.maxDecisionMs = 180_000
}

/** Returns the number of prepared transactions on the nodes, which await the decision of the coordinator. */
export async function countPrepared(nodes: ClusterNode[]): Promise<number> {
  const counts = await Promise.all(
    nodes.map((node) => runAt<{ count: number }>(urlAt(node), 'SELECT count(*)::int AS count FROM pg_prepared_xacts')),
  )
  return counts.flat().reduce((total, { count }) => total + count, 0)
}

/** Decides prepared transactions that a crash left, which Citus itself does once a minute, and checks that none is left. */
export async function recoverPrepared({ query, nodes }: Deployment, fail: Stage['fail']): Promise<number> {
  const [row] = await query<{ recovered: number }>('SELECT recover_prepared_transactions() AS recovered')
  const left = await countPrepared(nodes)
  if (left > 0) fail(`${left} prepared transactions are left`)
  return row?.recovered ?? 0
}
