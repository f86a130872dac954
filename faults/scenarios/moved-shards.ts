import { setTimeout as sleep } from 'node:timers/promises'
import { summaryOf } from '../client.ts'
import { describe, isClean } from '../cluster/answers.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { coverWorkers, nodesOf, placementOf } from '../cluster/nodes.ts'
import type { Deployment } from '../deployment.ts'
import { startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

const WORKERS = 6
const PAUSE_MS = 1000
const MAX_CLEANUP_MS = 60_000
/** Online to the other worker and back, and once with writes blocked. */
const MODES = ['force_logical', 'force_logical', 'block_writes'] as const

/** Moves the shards of a company to the worker that does not have them. Returns the seconds that it took. */
async function move(deployment: Deployment, company_id: string, mode: string, fail: Stage['fail']): Promise<string> {
  const { shard, port } = await placementOf(deployment, company_id)
  const target = nodesOf(deployment).workers.find((worker) => worker.port !== port)?.port
  const start = performance.now()
  await deployment.query(
    `SELECT citus_move_shard_placement($1, source.nodename, source.nodeport, target.nodename, target.nodeport, $4::citus.shard_transfer_mode)
     FROM pg_dist_node source, pg_dist_node target WHERE source.nodeport = $2 AND target.nodeport = $3`,
    [shard, port, target, mode],
  )
  const after = await placementOf(deployment, company_id)
  if (after.port !== target) fail(`shard ${shard} is on port ${after.port} after it was moved to ${target}`)
  return ((performance.now() - start) / 1000).toFixed(1)
}

/** Drops what a move left behind. Statements that began before the move can delay it, and until then Citus refuses to move the shard back. */
async function cleanUp(deployment: Deployment, fail: Stage['fail']): Promise<void> {
  for (const end = performance.now() + MAX_CLEANUP_MS; performance.now() < end; await sleep(PAUSE_MS)) {
    await deployment.query('CALL citus_cleanup_orphaned_resources()')
    const [row] = await deployment.query<{ left: number }>('SELECT count(*)::int AS left FROM pg_dist_cleanup')
    if (row?.left === 0) return
  }
  fail(`what a move left behind was not dropped within ${MAX_CLEANUP_MS / 1000} s`)
}

export const movedShards: Scenario = {
  name: 'cluster: shards moved',
  forbidden: withoutCitus,
  deploy: newClusterDeployment,
  run: async (stage) => {
    const { deployment, client, companies, quick, fail } = stage
    await coverWorkers(stage)
    const [busiest] = companies
    client.onTry = (tried) => {
      if (!isClean(tried)) fail(`answered ${describe(tried)} while shards were moved`)
    }
    // About half of all requests are those of the company that is moved.
    const finish = startLoad(client, [...companies, ...companies.map(() => busiest)], WORKERS)
    const modes = quick ? MODES : [...MODES, ...MODES, ...MODES]
    const seconds: string[] = []
    for (const mode of modes) {
      await sleep(PAUSE_MS)
      const before = client.confirmed.length
      seconds.push(await move(deployment, busiest.company_id, mode, fail))
      if (mode === 'force_logical' && client.confirmed.length === before) fail('nothing was done during an online move')
      await cleanUp(deployment, fail)
    }
    await sleep(PAUSE_MS)
    await finish()
    client.onTry = () => {}
    return `${modes.length} moves (${seconds.join(', ')} s), ${companies.length} companies: ${summaryOf(client)}`
  },
}
