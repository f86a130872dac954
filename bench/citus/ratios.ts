import { call, wire } from '../load.ts'
import { compare, type Figures, type Plan, ratioOf, type Subject } from '../measure.ts'
import { figure, table } from '../report.ts'
import { type Scenario, scenarios } from '../scenarios.ts'
import { type Company, inBatches, newCompany, newDevelopers } from '../seed.ts'
import type { Engine } from './engines.ts'

const COMPANIES = 8
const USERS = 50
const CHARACTERS = 10
const CONNECTIONS = 16
/** The required share of the requests per second of one PostgreSQL. */
const TARGET = 0.5

const MEASURED = ['get user', 'list users', 'list characters as a player', 'create user', 'create user with a key', 'roll dice']

/** The companies on one of the databases, and the key for them. */
export interface Population {
  port: number
  key: string
  companies: Company[]
}

/** Creates the same companies, users, campaigns and characters on each database. */
export async function populate({ url, port }: Engine): Promise<Population> {
  const { owner, player } = await newDevelopers(url)
  const post = (path: string, body: unknown) => call(port, { method: 'POST', path, key: owner.key, body })
  const companies: Company[] = []
  while (companies.length < COMPANIES) {
    const company = await newCompany(port, owner.key, player.id, 0)
    await inBatches(USERS - 2, (i) => post(`${company.base}/users`, { name: `Player ${i}`, role: 'PLAYER' }))
    const characters = `${company.userPath}/campaigns/${company.campaign}/characters`
    await inBatches(CHARACTERS - 1, (i) => post(characters, { name: `Hero ${i}`, traits: { wits: 3 } }))
    companies.push(company)
  }
  return { port, key: player.key, companies }
}

/** Sends the requests of a scenario to the companies in turn. */
function subject({ requestFor }: Scenario, { port, key, companies }: Population): Subject {
  let turn = 0
  return { port, next: () => wire({ key, ...requestFor(companies[turn++ % companies.length] as Company, key) }) }
}

export interface Ratio {
  scenario: string
  plain: Figures
  citus: Figures
  /** The requests per second on the cluster, compared with one PostgreSQL. */
  ratio: number
  /** The median milliseconds of a request that is alone on the machine. */
  alone: { plain: number; citus: number; ratio: number }
  /** The number of rounds, and of those that other processes disturbed. */
  rounds: number
  disturbed: number
}

/** Measures one scenario on both databases, in alternating rounds: many requests at once, then one at a time. */
async function measure(scenario: Scenario, plain: Population, citus: Population, plan: Plan): Promise<Ratio> {
  const subjects = [subject(scenario, plain), subject(scenario, citus)]
  const many = (await compare(subjects, { ...plan, connections: CONNECTIONS })) as [Figures, Figures]
  const one = (await compare(subjects, { ...plan, warm: plan.ms, connections: 1 })) as [Figures, Figures]
  return {
    scenario: scenario.name,
    plain: many[0],
    citus: many[1],
    ratio: ratioOf(many[1], many[0], 'perSecond'),
    alone: { plain: one[0].p50, citus: one[1].p50, ratio: ratioOf(one[1], one[0], 'p50') },
    rounds: [...many, ...one].reduce((sum, { rounds }) => sum + rounds.length, 0),
    disturbed: [...many, ...one].reduce((sum, { disturbed }) => sum + disturbed, 0),
  }
}

/** Measures the scenarios whose name contains the word. */
export async function measureRatios(
  [plain, citus]: [Population, Population],
  plan: Plan,
  word: string,
  log: (message: string) => void,
): Promise<Ratio[]> {
  const ratios: Ratio[] = []
  for (const name of MEASURED.filter((name) => name.includes(word))) {
    const scenario = scenarios.find((scenario) => scenario.name === name) as Scenario
    const ratio = await measure(scenario, plain, citus, plan)
    ratios.push(ratio)
    log(`${name}: ${ratio.ratio.toFixed(2)}`)
  }
  return ratios
}

export function formatRatios(ratios: Ratio[]): string {
  const head = ['', 'plain per s', 'citus per s', 'of plain', 'target', 'alone: plain ms', 'citus ms', 'times']
  const rows = ratios.map(({ scenario, plain, citus, ratio, alone }) => [
    scenario,
    figure(plain.perSecond, 0),
    figure(citus.perSecond, 0),
    figure(ratio, 2),
    TARGET,
    figure(alone.plain, 2),
    figure(alone.citus, 2),
    figure(alone.ratio, 1),
  ])
  const total = (figure: 'rounds' | 'disturbed') => ratios.reduce((sum, ratio) => sum + ratio[figure], 0)
  const quality = `other processes disturbed ${total('disturbed')} of ${total('rounds')} rounds`
  return `${table(head, rows)}\n\n${COMPANIES} companies of ${USERS} users, ${CONNECTIONS} connections; ${quality}`
}

/** Lists the figures that miss the target. */
export function missedRatios(ratios: Ratio[]): string {
  const missed = ratios.filter(({ ratio }) => !(ratio >= TARGET))
  if (!missed.length) return 'Every target is met.'
  const lines = missed.map(({ scenario, ratio }) => `${scenario}: ${ratio.toFixed(2)} of one PostgreSQL, at least ${TARGET} is required`)
  return `MISSED\n  ${lines.join('\n  ')}`
}
