import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newClusterDeployment } from './cluster/deployment.ts'
import { type Deployment, newDeployment } from './deployment.ts'
import { type Outcome, perform, type Scenario } from './perform.ts'
import { remaining } from './processes.ts'
import { scenarios } from './scenarios/index.ts'
import { formatTable, isOk } from './table.ts'

// npm run faults                   everything, within twenty-eight minutes, and ten more for each scenario on a cluster
// npm run faults -- --quick        a tenth of each, within nine minutes, and ten more for each scenario on a cluster
// npm run faults -- --only frozen  only scenarios whose name contains the word
const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } } })
const selected = scenarios.filter(({ name }) => name.toLowerCase().includes(flags.only.toLowerCase()))
if (selected.length === 0) {
  console.error(`No scenario has '${flags.only}' in its name. See faults/scenarios/index.ts.`)
  process.exit(2)
}
/** A cluster takes long to start. */
const MAX_CLUSTER_MS = 600_000
const onClusters = selected.filter(({ deploy, forbidden }) => deploy === newClusterDeployment && !forbidden?.())
const MAX_RUN_MS = (flags.quick ? 540_000 : 1_680_000) + onClusters.length * MAX_CLUSTER_MS
const MAX_STOP_MS = onClusters.length > 0 ? 60_000 : 5000
const MAX_REPORTED = 10
const MAX_LINE_LENGTH = 500

const start = Date.now()
const log = (message: string) => console.error(`${String(Math.round((Date.now() - start) / 1000)).padStart(4)} s  ${message}`)

let deployment: Deployment | undefined
let deployed: (() => Promise<Deployment>) | undefined
/** Returns the deployment of a scenario. The one before is stopped if it is another kind: two at a time would compete for the processors. */
async function deploymentFor({ deploy = newDeployment }: Scenario): Promise<Deployment> {
  if (deployment && deployed === deploy) return deployment
  await deployment?.stop()
  deployment = undefined
  deployed = deploy
  deployment = await deploy()
  return deployment
}

const outcomes: Outcome[] = []
let current = ''

let leaving: Promise<never> | undefined
/** Stops everything, prints the table and ends the process, even after an interruption. */
const leave = (interrupted = '') => {
  leaving ??= stopAll(interrupted)
  return leaving
}
async function stopAll(interrupted: string): Promise<never> {
  await Promise.race([deployment?.stop(), sleep(MAX_STOP_MS, undefined, { ref: false })])
  const left = interrupted ? [`${current}: ${interrupted}`] : remaining().map((process) => `left behind: ${process}`)
  for (const fault of left) log(fault)
  console.log(formatTable(outcomes))
  process.exit(outcomes.every(isOk) && left.length === 0 ? 0 : 1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave('interrupted'))
setTimeout(() => leave(`did not end within ${MAX_RUN_MS / 1000} s`), MAX_RUN_MS - MAX_STOP_MS).unref()

for (const scenario of selected) {
  current = scenario.name
  log(current)
  const outcome = await perform(scenario, () => deploymentFor(scenario), flags.quick)
  if (leaving) break
  outcomes.push(outcome)
  for (const fault of outcome.faults.slice(0, MAX_REPORTED)) log(`  ${fault.slice(0, MAX_LINE_LENGTH)}`)
  if (outcome.faults.length > MAX_REPORTED) log(`  and ${outcome.faults.length - MAX_REPORTED} more`)
}
await leave()
