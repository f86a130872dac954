import { execFileSync } from 'node:child_process'
import { newDeployment } from '../deployment.ts'
import { perform } from '../perform.ts'
import { remaining } from '../processes.ts'
import { fillUp } from './fill-up.ts'

// Runs in a mount namespace of its own: other processes do not see the mount, and it ends with this process.
const [folder = '', quick] = process.argv.slice(2)
const DISK_SIZE = '200m'
const MAX_RUN_MS = 150_000
/** A small write-ahead log, so that it fits on the disk. */
const SETTINGS = { min_wal_size: '32MB', max_wal_size: '48MB' }

setTimeout(() => process.exit(1), MAX_RUN_MS).unref()
// Exits normally on a signal, so that the exit handlers end the processes that were started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'guildhall', folder])
const deployment = await newDeployment(SETTINGS, folder)
const outcome = await perform(fillUp(folder), async () => deployment, quick === 'quick')
await deployment.stop()
outcome.faults.push(...remaining().map((process) => `left behind: ${process}`))
console.log(JSON.stringify(outcome))
process.exit(0)
