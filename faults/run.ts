import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { newHouse } from './house.ts'
import { type Outcome, perform } from './perform.ts'
import { remaining } from './processes.ts'
import { scenarios } from './scenarios/index.ts'
import { isOk, printed } from './table.ts'

// npm run faults                   everything, within fifteen minutes
// npm run faults -- --quick        a tenth of each, within five minutes
// npm run faults -- --only frozen  only scenarios whose name contains the word
const { values: flags } = parseArgs({ options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } } })
const wanted = scenarios.filter(({ name }) => name.toLowerCase().includes(flags.only.toLowerCase()))
if (wanted.length === 0) {
  console.error(`No scenario's name contains ${flags.only}.`)
  process.exit(2)
}
const LONGEST = flags.quick ? 300_000 : 900_000
const STOPS_WITHIN = 5000
const MOST_TOLD = 10
const LONGEST_LINE = 500

const begun = Date.now()
const say = (what: string) => console.error(`${String(Math.round((Date.now() - begun) / 1000)).padStart(4)} s  ${what}`)

const house = await newHouse()
const outcomes: Outcome[] = []
let current = ''

let leaving: Promise<never> | undefined
/** Stops everything, prints the table and ends; after an interruption, too. */
const leave = (interrupted = '') => {
  leaving ??= stopAll(interrupted)
  return leaving
}
async function stopAll(interrupted: string): Promise<never> {
  await Promise.race([house.stop(), sleep(STOPS_WITHIN, undefined, { ref: false })])
  const left = interrupted ? [`${current}: ${interrupted}`] : remaining().map((process) => `left behind: ${process}`)
  for (const fault of left) say(fault)
  console.log(printed(outcomes))
  process.exit(outcomes.every(isOk) && left.length === 0 ? 0 : 1)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => leave('interrupted'))
setTimeout(() => leave(`not done within ${LONGEST / 1000} s`), LONGEST - STOPS_WITHIN).unref()

for (const scenario of wanted) {
  current = scenario.name
  say(current)
  const outcome = await perform(scenario, house, flags.quick)
  if (leaving) break
  outcomes.push(outcome)
  for (const fault of outcome.faults.slice(0, MOST_TOLD)) say(`  ${fault.slice(0, LONGEST_LINE)}`)
  if (outcome.faults.length > MOST_TOLD) say(`  and ${outcome.faults.length - MOST_TOLD} more`)
}
await leave()
