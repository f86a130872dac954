import { execFileSync } from 'node:child_process'
import { newHouse } from '../house.ts'
import { perform } from '../perform.ts'
import { remaining } from '../processes.ts'
import { fillUp } from './fill-up.ts'

// Run in a mount namespace of its own: what is mounted here nobody else sees, and it goes with the process.
const [folder = '', quick] = process.argv.slice(2)
const ROOM = '200m'
const LONGEST = 150_000
/** So little is kept of the log of changes that it fits in there. */
const SETTINGS = { min_wal_size: '32MB', max_wal_size: '48MB' }

setTimeout(() => process.exit(1), LONGEST).unref()
// By the door, so that what was started is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM}`, 'guildhall', folder])
const house = await newHouse(SETTINGS, folder)
const outcome = await perform(fillUp(folder), house, quick === 'quick')
await house.stop()
outcome.faults.push(...remaining().map((process) => `left behind: ${process}`))
console.log(JSON.stringify(outcome))
process.exit(0)
