import { check } from './check.ts'
import { Client } from './client.ts'
import { type Company, newCompany, newDevelopers } from './company.ts'
import { type House, hasEnded } from './house.ts'
import type { Known } from './known.ts'
import { orphans } from './processes.ts'

/** A scenario's line in the table. */
export interface Outcome {
  scenario: string
  done: string
  requests: number
  lost: number
  doubled: number
  leaked: number
  seconds: number
  /** Everything that was not as it should be, in sentences. */
  faults: string[]
  skipped: string
}

/** What a scenario has to work with. */
export interface Stage {
  house: House
  client: Client
  companies: [Company, Company]
  quick: boolean
  /** As many of something as there is time for. */
  part(count: number): number
  /** Tells of something that is not as it should be. */
  amiss(fault: string): void
}

export interface Scenario {
  name: string
  /** Why it cannot be tried here, if it cannot. */
  forbidden?: () => string | undefined
  /** Does it, and says what was done, and how often. Where all of it happens elsewhere, the whole outcome. */
  run(stage: Stage): Promise<string | Outcome>
}

const nothing = { done: '', requests: 0, lost: 0, doubled: 0, leaked: 0, seconds: 0, faults: [], skipped: '' }

/** Plays a scenario in two new companies, and then looks at everything. */
export async function perform(scenario: Scenario, house: House, quick: boolean): Promise<Outcome> {
  const outcome: Outcome = { scenario: scenario.name, ...nothing }
  const reason = scenario.forbidden?.()
  if (reason) return { ...outcome, skipped: reason }
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const known: Known = new Map()
  const client = new Client(() => house.services.map(({ port }) => port), known)
  try {
    return { ...outcome, ...(await play(scenario, house, quick, client, known)), seconds: seconds() }
  } catch (error) {
    client.closed = true
    return { ...outcome, requests: client.decided, seconds: seconds(), faults: [(error as Error).stack ?? String(error), ...client.amiss] }
  }
}

async function play(scenario: Scenario, house: House, quick: boolean, client: Client, known: Known): Promise<Partial<Outcome>> {
  // What the scenario before has left undone.
  for (const serving of house.services) if (hasEnded(serving.child)) await house.restart(serving)
  const faults: string[] = []
  const [one, other] = await newDevelopers(house.url, 2)
  if (!one || !other) throw new Error('no developers')
  const companies: Stage['companies'] = [await newCompany(client, known, one), await newCompany(client, known, other)]
  const part = (count: number) => (quick ? Math.ceil(count / 10) : count)
  const amiss = (fault: string) => void faults.push(fault)
  const done = await scenario.run({ house, client, companies, quick, part, amiss })
  if (typeof done !== 'string') return done
  const found = await check(house, client, companies)
  const leaks = [...client.leaks, ...found.leaked]
  const left = orphans(house).map((process) => `left behind: ${process}`)
  return {
    done,
    requests: client.decided,
    lost: found.lost.length,
    doubled: found.doubled.length,
    leaked: leaks.length,
    faults: [...found.lost, ...found.doubled, ...leaks, ...faults, ...client.amiss, ...found.amiss, ...left],
  }
}
