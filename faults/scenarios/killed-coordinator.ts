import { setTimeout as sleep } from 'node:timers/promises'
import { waitForAnswer } from '../../bench/parts.ts'
import type { ClusterNode } from '../../server/test/citus.ts'
import { summaryOf } from '../client.ts'
import { describe, isClean } from '../cluster/answers.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { countPrepared, coverWorkers, nodesOf, recoverPrepared, waitPatiently } from '../cluster/nodes.ts'
import { startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

const WORKERS = 4
const MEAN_PAUSE_MS = 1000
const MAX_WAIT_MS = 10_000

/** Founds companies one after the other: their transactions are on both workers, and are prepared before they are committed. */
function startFounding({ client, companies, addCompany }: Stage): () => Promise<number> {
  const [{ developer }] = companies
  let isRunning = true
  let count = 0
  const founding = (async () => {
    for (; isRunning && !client.closed; count++) await addCompany(developer)
  })()
  return async () => {
    isRunning = false
    await founding
    return count
  }
}

/** Waits for a moment at which a worker has a prepared transaction, but not for long: they are brief. */
async function untilPrepared(workers: ClusterNode[]): Promise<void> {
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; ) if ((await countPrepared(workers)) > 0) return
}

export const killedCoordinator: Scenario = {
  name: 'cluster: coordinator killed',
  forbidden: withoutCitus,
  deploy: newClusterDeployment,
  run: async (stage) => {
    const { deployment, client, companies, quick, fail } = stage
    await coverWorkers(stage)
    const { coordinator, workers } = nodesOf(deployment)
    client.onTry = (tried) => {
      if (!isClean(tried)) fail(`answered ${describe(tried)} without the coordinator`)
    }
    waitPatiently(client)
    const finish = startLoad(client, [...companies], WORKERS)
    const finishFounding = startFounding(stage)
    const kills = quick ? 3 : 10
    let prepared = 0
    for (let i = 0; i < kills; i++) {
      await sleep(Math.random() * 2 * MEAN_PAUSE_MS)
      await untilPrepared(workers)
      await coordinator.kill()
      prepared += await countPrepared(workers)
      await coordinator.start()
      for (const { port } of deployment.services) await waitForAnswer(port, '/health/ready')
      await recoverPrepared(deployment, () => {})
    }
    const founded = await finishFounding()
    await finish()
    client.onTry = () => {}
    await recoverPrepared(deployment, fail)
    return `${kills} times kill -9, ${prepared} prepared transactions recovered, ${founded} companies founded: ${summaryOf(client)}`
  },
}
