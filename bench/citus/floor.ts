import type pg from 'pg'
import { settingsFor } from '../../server/src/db/driver/settings.ts'
import { median } from '../measure.ts'
import { figure, table } from '../report.ts'
import { type Engines, withClient } from './engines.ts'
import type { Population } from './ratios.ts'

const [WARM, REPETITIONS] = [30, 200]

/** The least that a request can cost on each database: prepared statements without the service, one after the other. */
const STATEMENTS = {
  'no table': 'SELECT $1::uuid, $2::uuid',
  'one table': 'SELECT * FROM users WHERE company_id = $1 AND id = $2',
  'two tables': 'SELECT u.*, c.name FROM users u JOIN companies c ON c.id = $1 WHERE u.company_id = $1 AND u.id = $2',
  'four tables': `SELECT u.*, c.name, k.id, m.role FROM users u JOIN companies c ON c.id = $1 LEFT JOIN grants k ON k.company_id = $1 AND k.id = u.id
    LEFT JOIN members m ON m.company_id = $1 AND m.user_id = u.id WHERE u.company_id = $1 AND u.id = $2`,
}

export interface Floor {
  statement: string
  /** Median milliseconds on one PostgreSQL, through the coordinator, and on the worker that has the company. */
  plain: number
  coordinator: number
  worker: number
}

const urlAt = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href

/** Returns the port of the worker that has the rows of a company. */
const workerOf = (client: pg.Client, company_id: string) =>
  client
    .query<{ port: number }>(
      `SELECT nodeport AS port FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
       WHERE shardid = get_shard_id_for_distribution_column('companies', $1::uuid)`,
      [company_id],
    )
    .then(({ rows }) => (rows[0] as { port: number }).port)

async function timeAt(url: string, engine: 'postgresql' | 'citus', text: string, values: string[]): Promise<number> {
  return withClient(url, async (client) => {
    for (const [name, value] of Object.entries(settingsFor(engine))) await client.query('SELECT set_config($1, $2, false)', [name, value])
    const times: number[] = []
    for (let i = -WARM; i < REPETITIONS; i++) {
      const start = performance.now()
      await client.query({ name: 'measured', text, values })
      if (i >= 0) times.push(performance.now() - start)
    }
    return median(times)
  })
}

/** The company and the acting user of a population. */
const idsOf = ({ companies }: Population) => {
  const [, company_id, user_id] = /companies\/([^/]+)\/users\/([^/]+)/.exec(companies[0]?.userPath ?? '') ?? []
  return [company_id as string, user_id as string]
}

export async function measureFloor({ plain, citus }: Engines, [onPlain, onCitus]: [Population, Population]): Promise<Floor[]> {
  const [company_id] = idsOf(onCitus) as [string]
  const worker = await withClient(citus.url, (client) => workerOf(client, company_id))
  const floors: Floor[] = []
  for (const [statement, text] of Object.entries(STATEMENTS))
    floors.push({
      statement,
      plain: await timeAt(plain.url, 'postgresql', text, idsOf(onPlain)),
      coordinator: await timeAt(citus.url, 'citus', text, idsOf(onCitus)),
      worker: await timeAt(urlAt(citus.url, worker), 'citus', text, idsOf(onCitus)),
    })
  return floors
}

export function formatFloor(floors: Floor[]): string {
  const head = ['one statement, ms', 'plain', 'coordinator', 'times', 'its worker', 'times']
  const rows = floors.map(({ statement, plain, coordinator, worker }) => [
    statement,
    figure(plain, 2),
    figure(coordinator, 2),
    figure(coordinator / plain, 1),
    figure(worker, 2),
    figure(worker / plain, 1),
  ])
  return table(head, rows)
}
