import { check } from './check.ts'
import { Client } from './client.ts'
import { type Company, type Developer, newCompany, newDevelopers } from './company.ts'
import { type Deployment, hasEnded } from './deployment.ts'
import type { Known } from './known.ts'
import { orphans } from './processes.ts'

/** The result of a scenario, one line of the table. */
export interface Outcome {
  scenario: string
  done: string
  requests: number
  lost: number
  doubled: number
  leaked: number
  seconds: number
  /** Descriptions of everything that went wrong. */
  faults: string[]
  skipped: string
}

/** The environment of a scenario. */
export interface Stage {
  deployment: Deployment
  client: Client
  companies: [Company, Company, ...Company[]]
  /** Creates another company, which is checked like the others. */
  addCompany(developer: Developer): Promise<Company>
  quick: boolean
  /** Returns the given number, or a tenth of it in a quick run. */
  part(count: number): number
  /** Records something that went wrong. */
  fail(fault: string): void
}

export interface Scenario {
  name: string
  /** Returns the reason if the scenario cannot run on this machine. */
  forbidden?: () => string | undefined
  /** Repeats what another scenario and the tests on its database prove together, so a quick run leaves it out. */
  onlyInFullRuns?: true
  /** Starts the deployment that the scenario needs, if two processes on one PostgreSQL are not enough. */
  deploy?: () => Promise<Deployment>
  /** Runs the scenario and returns a description of the run, or the whole outcome if it ran in another process. */
  run(stage: Stage): Promise<string | Outcome>
}

const nothing = { done: '', requests: 0, lost: 0, doubled: 0, leaked: 0, seconds: 0, faults: [], skipped: '' }

/** Runs a scenario in two new companies, and then checks everything. The deployment is asked for only if the scenario can run. */
export async function perform(scenario: Scenario, deploy: () => Promise<Deployment>, quick: boolean): Promise<Outcome> {
  const outcome: Outcome = { scenario: scenario.name, ...nothing }
  const reason = quick && scenario.onlyInFullRuns ? 'only in a full run' : scenario.forbidden?.()
  if (reason) return { ...outcome, skipped: reason }
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const known: Known = new Map()
  let client: Client | undefined
  try {
    const deployment = await deploy()
    client = new Client(() => deployment.services.map(({ port }) => port), known)
    return { ...outcome, ...(await play(scenario, deployment, quick, client, known)), seconds: seconds() }
  } catch (error) {
    if (client) client.closed = true
    return {
      ...outcome,
      requests: client?.decided ?? 0,
      seconds: seconds(),
      faults: [(error as Error).stack ?? String(error), ...(client?.failures ?? [])],
    }
  }
}

async function play(scenario: Scenario, deployment: Deployment, quick: boolean, client: Client, known: Known): Promise<Partial<Outcome>> {
  // The scenario before may have left processes that have ended.
  for (const instance of deployment.services) if (hasEnded(instance.child)) await deployment.restart(instance)
  const faults: string[] = []
  const [one, other] = await newDevelopers(deployment.url, 2)
  if (!one || !other) throw new Error('no developers')
  const companies: Stage['companies'] = [await newCompany(client, known, one), await newCompany(client, known, other)]
  const part = (count: number) => (quick ? Math.ceil(count / 10) : count)
  const fail = (fault: string) => void faults.push(fault)
  const addCompany = async (developer: Developer) => {
    const company = await newCompany(client, known, developer)
    companies.push(company)
    return company
  }
  const done = await scenario.run({ deployment, client, companies, addCompany, quick, part, fail })
  if (typeof done !== 'string') return done
  const found = await check(deployment, client, companies)
  const leaks = [...client.leaks, ...found.leaked]
  const left = orphans(deployment).map((process) => `left behind: ${process}`)
  return {
    done,
    requests: client.decided,
    lost: found.lost.length,
    doubled: found.doubled.length,
    leaked: leaks.length,
    faults: [...found.lost, ...found.doubled, ...leaks, ...faults, ...client.failures, ...found.failures, ...left],
  }
}
