import type pg from 'pg'
import { companyTables } from '../../server/src/resources/declarations.ts'
import { load, wire } from '../load.ts'
import { figure, table } from '../report.ts'
import { type Scenario, scenarios } from '../scenarios.ts'
import { type Company, inBatches, newCompany, newDevelopers } from '../seed.ts'
import { type Engines, withClient } from './engines.ts'
import { startCounting } from './statements.ts'

const CONNECTIONS = 16
/** The requests that each company receives: mostly reads, as of a group that plays. */
const MIX = [
  'get user',
  'list users',
  'list characters as a player',
  'roll dice',
  'get character with includes',
  'get user',
  'list rolls of a campaign',
  'create user with a key',
  'list users',
  'statistics',
]

/** The part of a mixed load that one worker has. */
export interface Share {
  worker: string
  companies: number
  shards: number
  /** The numbers of companies in the shard with the fewest and in the one with the most. */
  fewest: number
  most: number
  rows: number
  /** The statements on shards during the load, or transactions if the server does not count statements. */
  statements: number
}

export interface Spread {
  requests: number
  seconds: number
  unit: string
  shares: Share[]
}

/** A shard of the table of companies, and the companies in it. All rows of a company are in shards of the same worker. */
interface Shard {
  port: number
  ids: string[]
}

const findShards = async (client: pg.Client, ids: string[]) =>
  (
    await client.query<Shard>(
      `SELECT n.nodeport AS port, array_remove(array_agg(c.id::text), NULL) AS ids
       FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
       LEFT JOIN (SELECT id, get_shard_id_for_distribution_column('companies', id) AS shardid FROM unnest($1::uuid[]) id) c USING (shardid)
       WHERE s.logicalrelid = 'companies'::regclass GROUP BY s.shardid, n.nodeport`,
      [ids],
    )
  ).rows

/** Counts the rows of each company, in all tables. */
async function countRows(client: pg.Client): Promise<Map<string, number>> {
  // One connection to each worker is enough: the counts are small, and a connection costs more than a count.
  await client.query('SET citus.max_adaptive_executor_pool_size = 1')
  const counted = new Map<string, number>()
  for (const { name } of companyTables()) {
    const { rows } = await client.query<{ id: string; count: number }>(
      `SELECT company_id AS id, count(*)::int AS count FROM ${name} GROUP BY 1`,
    )
    for (const { id, count } of rows) counted.set(id, (counted.get(id) ?? 1) + count)
  }
  return counted
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Returns the requests of the mix, every company in turn. At any time each kind is under way, and each company gets each kind once. */
function* mixedRequests(companies: Company[], key: string): Generator<string> {
  const mix = MIX.map((name) => scenarios.find((scenario) => scenario.name === name) as Scenario)
  for (let pass = 0; pass < mix.length; pass++)
    for (const [i, company] of companies.entries())
      yield wire({ key, ...(mix[(i + pass) % mix.length] as Scenario).requestFor(company, key) })
}

/** Creates companies, sends a mixed load to all of them, and finds the share of each worker. */
export async function measureSpread({ citus, workers }: Engines, count: number, log: (message: string) => void): Promise<Spread> {
  const { owner } = await newDevelopers(citus.url)
  const companies = await inBatches(count, () => newCompany(citus.port, owner.key, undefined, 0))
  log(`${count.toLocaleString('en')} companies`)
  const counting = await startCounting(workers.map(({ server }) => server))
  const start = Date.now()
  const requests = mixedRequests(companies, owner.key)
  const { times } = await load(citus.port, CONNECTIONS, Number.POSITIVE_INFINITY, () => requests.next().value)
  const seconds = (Date.now() - start) / 1000
  log(`${times.length.toLocaleString('en')} requests`)
  const statements = await counting.counts()
  const ids = companies.map(({ base }) => base.slice(base.lastIndexOf('/') + 1))
  const [shards, rows] = await withClient(citus.url, async (client) => [await findShards(client, ids), await countRows(client)] as const)
  const shares = workers.map(({ name, port }, i) => {
    const own = shards.filter((shard) => shard.port === port).map(({ ids }) => ids)
    const sizes = own.map(({ length }) => length)
    return {
      worker: name,
      companies: sum(sizes),
      shards: own.length,
      fewest: Math.min(...sizes),
      most: Math.max(...sizes),
      rows: sum(own.flat().map((id) => rows.get(id) ?? 0)),
      statements: statements[i] as number,
    }
  })
  return { requests: times.length, seconds, unit: counting.unit, shares }
}

export function formatSpread({ requests, seconds, unit, shares }: Spread): string {
  const total = (figure: 'companies' | 'rows' | 'statements') => sum(shares.map((share) => share[figure]))
  const cell = (share: Share, figure: 'companies' | 'rows' | 'statements') =>
    `${share[figure].toLocaleString('en')} (${Math.round((100 * share[figure]) / total(figure))}%)`
  const rows = shares.map((share) => [
    share.worker,
    cell(share, 'companies'),
    share.shards,
    `${share.fewest} to ${share.most}`,
    cell(share, 'rows'),
    cell(share, 'statements'),
  ])
  return [
    table(['', 'companies', 'shards of companies', 'companies in one', 'rows', unit], rows),
    '',
    `${requests.toLocaleString('en')} mixed requests to ${total('companies').toLocaleString('en')} companies in ${figure(seconds, 0)} s, ${figure(total('statements') / requests, 1)} ${unit} per request on the workers`,
  ].join('\n')
}
