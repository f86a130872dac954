import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterNode } from '../../server/test/citus.ts'
import { attempt, summaryOf, type Try } from '../client.ts'
import { describe, isClean, problemOf } from '../cluster/answers.ts'
import { newClusterDeployment, withoutCitus } from '../cluster/deployment.ts'
import { coverWorkers, nodesOf, recoverPrepared, waitPatiently } from '../cluster/nodes.ts'
import { slowCommit, untilCommitting } from '../cluster/slow-commit.ts'
import type { Company } from '../company.ts'
import { startLoad } from '../load.ts'
import type { Scenario, Stage } from '../perform.ts'

/** The clients of each worker: those of a killed one wait for it, and the others go on. */
const CLIENTS = 3
const DOWN_MS = 3000
/** After a worker is back, the coordinator still has connections to the killed one, and finds them lost one by one. */
const SETTLE_MS = 3000
/** A worker that is gone refuses connections at once. */
const MAX_REFUSAL_MS = 5000
/** The time in which a company on the other worker must be served. */
const MAX_CONTINUE_MS = 30_000

interface Cast extends Stage {
  /** The companies of the worker that is killed, and all others. */
  affected: Company[]
  others: Company[]
}

/** Reads from both processes: only the companies of the killed worker may fail, and fail fast. */
async function probe({ deployment, affected, others, fail }: Cast): Promise<void> {
  const read = ({ base, developer }: Company, port: number) => attempt(port, { method: 'GET', path: `${base}/users`, key: developer.key })
  for (const { port } of deployment.services) {
    for (const company of others) {
      const tried = await read(company, port)
      if (tried.status !== 200) fail(`a read of a company on the other worker was answered ${describe(tried)}`)
    }
    for (const company of affected) {
      const tried = await read(company, port)
      if (problemOf(tried) !== 'database_unavailable' || tried.ms > MAX_REFUSAL_MS)
        fail(`a read of a company on the killed worker was answered ${describe(tried)}`)
    }
    const ready = await attempt(port, { method: 'GET', path: '/health/ready' })
    if (ready.status !== 200) fail(`/health/ready answered ${describe(ready)} without a worker`)
  }
}

/** Kills the worker while it works, and brings it back. */
async function killOnce(cast: Cast, worker: ClusterNode): Promise<void> {
  const { client, others, fail } = cast
  await worker.kill()
  const before = client.confirmed.length
  await Promise.all([probe(cast), sleep(DOWN_MS)])
  const ids = new Set(others.map(({ company_id }) => company_id))
  const continued = () => client.confirmed.slice(before).some(({ company_id }) => ids.has(company_id))
  for (const end = Date.now() + MAX_CONTINUE_MS; !continued() && Date.now() < end; ) await sleep(100)
  if (!continued()) fail('companies of the other worker did not continue')
  await worker.start()
}

/** The name of a user whose COMMIT takes long. */
const SLOW_NAME = 'Slow commit'

/** Kills the worker in the middle of a COMMIT without an Idempotency-Key: the answer must admit that the outcome is unknown. */
async function killInCommit(cast: Cast, worker: ClusterNode): Promise<void> {
  const { deployment, affected, fail } = cast
  const [company] = affected
  if (!company) throw new Error('the worker has no company')
  const { company_id } = company
  const restore = await slowCommit(deployment, { table: 'users', company_id, when: `NEW.name = '${SLOW_NAME}'`, seconds: 30 })
  const { base, developer } = company
  const body = { name: SLOW_NAME, role: 'PLAYER' }
  const answer = attempt(deployment.services[0].port, { method: 'POST', path: `${base}/users`, key: developer.key, body })
  await untilCommitting(worker)
  await killOnce(cast, worker)
  const tried = await answer
  // The worker was killed before its COMMIT was done, so the check finds no such user.
  if (tried.status !== 503 || problemOf(tried) !== 'outcome_unknown')
    fail(`a write whose COMMIT was cut off was answered ${describe(tried)}`)
  await restore()
}

export const killedWorker: Scenario = {
  name: 'cluster: worker killed',
  forbidden: withoutCitus,
  deploy: newClusterDeployment,
  run: async (stage) => {
    const { deployment, client, companies, quick, fail } = stage
    const portOf = await coverWorkers(stage)
    const { workers } = nodesOf(deployment)
    let killed = 0
    let slowest = 0
    client.onTry = (tried: Try, { company_id }) => {
      const isAffected = portOf.get(company_id) === killed
      if (!isClean(tried)) fail(`answered ${describe(tried)} while a worker was missing`)
      else if (!isAffected && tried.status >= 500) fail(`a company of the other worker was answered ${describe(tried)}`)
      if (tried.status === 503) slowest = Math.max(slowest, tried.ms)
    }
    waitPatiently(client)
    const loads = workers.map(({ port }) =>
      startLoad(
        client,
        companies.filter(({ company_id }) => portOf.get(company_id) === port),
        CLIENTS,
      ),
    )
    const kills = quick ? 2 : 6
    let recovered = 0
    for (let i = 0; i <= kills; i++) {
      const worker = workers[i % 2 === 0 ? 0 : 1]
      await sleep(SETTLE_MS)
      killed = worker.port
      const isAffected = ({ company_id }: Company) => portOf.get(company_id) === killed
      const cast = { ...stage, affected: companies.filter(isAffected), others: companies.filter((company) => !isAffected(company)) }
      await (i < kills ? killOnce(cast, worker) : killInCommit(cast, worker))
      recovered += await recoverPrepared(deployment, fail)
    }
    await Promise.all(loads.map((finish) => finish()))
    client.onTry = () => {}
    await recoverPrepared(deployment, fail)
    return `${kills} times kill -9 and once in COMMIT, refused within ${(slowest / 1000).toFixed(1)} s, ${recovered} recovered: ${summaryOf(client)}`
  },
}
