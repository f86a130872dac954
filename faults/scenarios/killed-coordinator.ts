import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { waitForAnswer } from '../../bench/parts.ts'
import type { ClusterNode } from '../../server/test/citus.ts'
import { summaryOf } from '../client.ts'
import { describe, isClean } from '../cluster/answers.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { countPrepared, coverWorkers, nodesOf, recoverPrepared, urlAt, waitPatiently } from '../cluster/nodes.ts'
import { slowCommit } from '../cluster/slow-commit.ts'
import { startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

const WORKERS = 4
const MEAN_PAUSE_MS = 1000
/** The service is ready when it can open a connection, which takes long on a busy machine. */
const MAX_READY_MS = 120_000
/** A new company is on the worker of its developer's stored replies as often as not: then nothing is prepared. */
const MAX_WAIT_MS = 30_000
/** The time for which the other worker has already prepared a transaction. */
const PREPARE_SECONDS = 2

/** Founds companies one after the other: their transactions are on both workers, and are prepared before they are committed. */
function startFounding({ client, companies, addCompany, fail }: Stage): () => Promise<number> {
  const [{ developer }] = companies
  let isRunning = true
  let count = 0
  const found = async () => {
    for (; isRunning && !client.closed; count++) await addCompany(developer)
  }
  const founding = found().catch((error) => fail(String(error)))
  return async () => {
    isRunning = false
    await founding
    return count
  }
}

/** Reads if a worker has a prepared transaction, and if it is slowly preparing one. */
const STATE = `SELECT EXISTS (SELECT FROM pg_prepared_xacts) AS "hasPrepared",
  EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE 'PREPARE TRANSACTION%' AND wait_event = 'PgSleep') AS "isPreparing"`

/**
 * Calls `kill` when one worker has prepared a transaction and the other one is still preparing it, so that it cannot be committed before the coordinator is gone.
 * Other transactions are prepared only for a moment. Opens and closes no connections in between.
 */
async function whenPrepared(workers: ClusterNode[], kill: () => Promise<void>): Promise<void> {
  const clients = workers.map((worker) => new pg.Client(urlAt(worker)))
  await Promise.all(clients.map((client) => client.connect()))
  const isPrepared = async () => {
    const found = await Promise.all(clients.map((client) => client.query<{ hasPrepared: boolean; isPreparing: boolean }>(STATE)))
    const states = found.flatMap(({ rows }) => rows)
    return states.some(({ hasPrepared }) => hasPrepared) && states.some(({ isPreparing }) => isPreparing)
  }
  for (const end = Date.now() + MAX_WAIT_MS; !(await isPrepared()) && Date.now() < end; ) await sleep(5)
  await kill()
  await Promise.all(clients.map((client) => client.end()))
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
    const { id } = companies[0].developer
    const when = `NEW.developer_id = '${id}'`
    const restore = await slowCommit(deployment, { table: 'idempotency_keys', company_id: id, when, seconds: PREPARE_SECONDS })
    const finishFounding = startFounding(stage)
    const kills = quick ? 3 : 10
    let prepared = 0
    for (let i = 0; i < kills; i++) {
      await sleep(Math.random() * 2 * MEAN_PAUSE_MS)
      await whenPrepared(workers, coordinator.kill)
      prepared += await countPrepared(workers)
      await coordinator.start()
      for (const { port } of deployment.services) await waitForAnswer(port, '/health/ready', MAX_READY_MS)
      await recoverPrepared(deployment, () => {})
    }
    if (prepared === 0) fail('no kill met a prepared transaction')
    const founded = await finishFounding()
    await finish()
    await restore()
    client.onTry = () => {}
    await recoverPrepared(deployment, fail)
    return `${kills} times kill -9, ${prepared} prepared transactions recovered, ${founded} companies founded: ${summaryOf(client)}`
  },
}
