import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { missingCitus } from '../../server/test/citus.ts'
import { startEngines, withClient } from './engines.ts'
import { formatFloor, measureFloor } from './floor.ts'
import { formatRatios, measureRatios, missedRatios, type Population, populate } from './ratios.ts'
import { formatSpread, measureSpread } from './spread.ts'
import { pauseCounting } from './statements.ts'

interface Flags {
  quick: boolean
  only?: string
  companies?: string
}

// npm run bench -- --citus                    the service on a Citus cluster compared with one PostgreSQL, and the load of its workers
// npm run bench -- --citus --quick            with short rounds and 100 companies
// npm run bench -- --citus --only roll        only scenarios whose name contains the word, without the load of the workers
// npm run bench -- --citus --only floor       only single statements, without the service: the least that a request can cost
// npm run bench -- --citus --companies=200    with another number of companies for the load of the workers; 0 leaves it out

/** Measures the cost of distribution and how a mixed load is distributed, if CITUS_BIN names a PostgreSQL with Citus. */
export async function measureDistribution({ quick, only, companies: given }: Flags): Promise<void> {
  const missing = missingCitus()
  if (missing) return console.log(`# SKIPPED, the cost of distribution: ${missing}`)
  const start = Date.now()
  const elapsed = () => Math.round((Date.now() - start) / 1000)
  const log = (message: string) => console.error(`${String(elapsed()).padStart(4)} s  ${message}`)
  const companies = Number(given ?? (only ? 0 : quick ? 100 : 1000))
  const plan = { ...(quick ? { rounds: 3, ms: 500, warm: 1000 } : { rounds: 7, ms: 2000, warm: 5000 }), groups: [] }

  log('starting one PostgreSQL and a cluster')
  const engines = await startEngines()
  try {
    await pauseCounting(engines.workers.map(({ server }) => server))
    log('creating companies')
    const populations = [await populate(engines.plain), await populate(engines.citus)] as [Population, Population]
    for (const { url } of [engines.plain, engines.citus]) await withClient(url, (client) => client.query('ANALYZE'))
    log('measuring')
    const ratios = await measureRatios(populations, plan, only ?? '', log)
    if (ratios.length) console.log(`\n${formatRatios(ratios)}\n${missedRatios(ratios)}\n`)
    const floor = only && !'floor'.includes(only) ? [] : await measureFloor(engines, populations)
    if (floor.length) console.log(`${formatFloor(floor)}\n`)
    const spread = companies > 0 ? await measureSpread(engines, companies, log) : null
    if (spread) console.log(`\n${formatSpread(spread)}`)
    const report = { machine: { cores: availableParallelism(), node: process.version }, seconds: elapsed(), ratios, floor, spread }
    console.log(`${report.machine.cores} cores for everything, Node ${report.machine.node}, ${report.seconds} s`)
    writeFileSync(new URL('../results-citus.json', import.meta.url), `${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await engines.stop()
  }
}
