import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPrism } from './prism.ts'
import { reportClient } from './report-client.ts'
import { becameExpensive, expected, readBaseline, readCpuLog, writeBaseline } from './run/cpu-seconds.ts'
import { Progress } from './run/progress.ts'
import { type FileResult, runJobs } from './run/run-files.ts'
import { intoJobs, selectTests, type Target } from './run/selection.ts'
import { missingFor, startServer } from './run/servers.ts'

// Runs the tests on a PostgreSQL server that is started for this run. Its database is migrated once and cloned for each test file.
// npm test -- idempotency     only test files whose path contains the word
// npm test -- users:link      of these, only tests whose title matches
// npm test -- --only=link     of all files, only tests whose title matches
// npm test -- --verbose       prints every test, not only failures
// npm test -- --pooled        on PostgreSQL 15 behind pgbouncer: the tests that prove what is different there
// npm test -- --citus         on a Citus cluster of a coordinator and two workers, if CITUS_BIN names a PostgreSQL with Citus
// npm test -- --proxied       stories of the resources through Prism, which validates against openapi.json, if it is installed
// npm test -- --client        stories of the resources through @guildhall/client
// npm test -- --citus --all   there, all tests that can run there
// npm test -- --repeat=5 --busy    each file five times beside two busy loops, to find tests that fail by luck
// npm test -- --record-cpu    writes the CPU seconds of each file to run/cpu-seconds.json
const { values: flags, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    pooled: { type: 'boolean' },
    citus: { type: 'boolean' },
    proxied: { type: 'boolean' },
    client: { type: 'boolean' },
    all: { type: 'boolean', default: false },
    repeat: { type: 'string', default: '1' },
    busy: { type: 'boolean', default: false },
    'record-cpu': { type: 'boolean', default: false },
  },
})
const root = new URL('../', import.meta.url).pathname
const target: Target = (['pooled', 'citus', 'proxied', 'client'] as const).find((name) => flags[name]) ?? 'embedded'
const repeat = Number(flags.repeat)
/** Files that failed once and passed alone are reported as flaky. More of them than this are a failure. */
const MAX_FLAKY = 2
/** Files that can share processes are divided among this many for each one that runs at a time. */
const PARTS = 2

const missing = missingFor(target)
if (missing) {
  console.log(`# SKIPPED, all tests on this target (${target}): ${missing}`)
  process.exit(0)
}
const baseline = readBaseline()
const selected = selectTests(root, target, words, flags.all).toSorted((a, b) => expected(baseline, b.file) - expected(baseline, a.file))
if (selected.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
const { url, servers, stop } = await startServer(target, folder)
const prism = target === 'proxied' ? await startPrism() : undefined
const clientLog = target === 'client' ? join(folder, 'client.jsonl') : undefined
const cpuLog = join(folder, 'cpu.jsonl')
for (const log of [clientLog, cpuLog]) if (log) writeFileSync(log, '')
const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31))

Object.assign(process.env, {
  // What one test file compiled, the others need not compile again: most of them load the whole service.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '../node_modules/.cache/guildhall'),
  TEST_DATABASE_URL: url,
  TEST_SEED: seed,
  TEST_CPU_LOG: cpuLog,
  DATABASE_POOLER: target === 'pooled' ? 'transaction' : 'none',
  ...(servers && { TEST_SERVERS: servers.join(' ') }),
  ...(prism && { TEST_PRISM_URL: prism.url }),
  ...(clientLog && { TEST_CLIENT_LOG: clientLog }),
})

const skip: RegExp[] = []
// Measurements and tests that repeat a request a thousand times find nothing new on another server or through Prism.
if (target === 'pooled' || target === 'citus') skip.push(/100,000 rows|memory does not grow/)
// Prism answers a request without a described credential by itself.
if (target === 'proxied')
  skip.push(
    /one credential is accepted|100,000 rows|any number of times|less than 50 ms|statistics cover exactly|owner stays a member|balances are the sums/,
  )
// Processes that a run started would outlive it: the servers, and the services of the test that is running.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
const options = {
  root,
  concurrency: target === 'citus' ? 2 : 3,
  testTimeoutMs: target === 'citus' ? 600_000 : 120_000,
  fileTimeoutMs: target === 'citus' ? 1_200_000 : 600_000,
  ...(flags.only && { only: new RegExp(flags.only) }),
  skip,
  interrupted: interruption.signal,
}
const BUSY_LOOP = 'for (const end = Date.now() + 3_600_000; Date.now() < end && process.ppid !== 1; ) for (let i = 0; i < 1e8; i++);'
const busy = flags.busy ? [1, 2].map(() => spawn(process.execPath, ['-e', BUSY_LOOP])) : []

const started = performance.now()
console.log(`${selected.length} test files, TEST_SEED=${seed}`)
const progress = new Progress(new Map(selected.map(({ file }) => [file, expected(baseline, file) * repeat])), flags.verbose)
const jobs = intoJobs(selected, PARTS * options.concurrency)
const rounds = Array.from({ length: repeat }, () => jobs).flat()
const results = await runJobs(rounds, options, (result) => progress.add(result))

const failedOf = (of: FileResult[]) =>
  selected.filter(({ file }) => of.some((result) => result.file === file && result.failures.length > 0))
const failed = failedOf(results)
// If a process failed, its files share the failure.
const distinct = new Set(results.flatMap(({ failures }) => failures.slice(0, 1))).size
let flaky: string[] = []
let red = failed.map(({ file }) => file)
if (!interruption.signal.aborted && repeat === 1 && failed.length > 0 && distinct <= MAX_FLAKY) {
  console.log(`\nOnce more, alone: ${red.join(', ')}`)
  const alone = failed.map(({ file, names }) => ({ files: [file], ...(names && { names }) }))
  const again = await runJobs(alone, { ...options, concurrency: 1 }, (result) => progress.show(result))
  red = failedOf(again).map(({ file }) => file)
  flaky = failed.map(({ file }) => file).filter((file) => !red.includes(file))
}

for (const child of busy) child.kill('SIGKILL')
await prism?.stop()
if (clientLog) reportClient(clientLog)
await stop()

const seconds = readCpuLog(cpuLog, root, results)
if (flags['record-cpu']) writeBaseline({ ...baseline, ...seconds })
for (const line of target === 'embedded' && repeat === 1 ? becameExpensive(baseline, seconds) : []) console.log(`EXPENSIVE ${line}`)
const skippedTests = results.flatMap(({ file, skipped }) => skipped.map((test) => `${file}: ${test}`))
for (const test of new Set(skippedTests)) console.log(`SKIPPED ${test}`)
for (const file of flaky) console.log(`FLAKY ${file}: it failed, and passed alone with the same TEST_SEED=${seed}`)
for (const file of red) console.log(`✖ ${file}`)
const failures = results.filter(({ file }) => red.includes(file)).flatMap((result) => result.failures)
const counts = { passed: results.reduce((sum, { passed }) => sum + passed, 0), failed: failures.length, skipped: skippedTests.length }
const report = join(root, '../node_modules/.cache/guildhall-tests.json')
mkdirSync(join(root, '../node_modules/.cache'), { recursive: true })
writeFileSync(report, JSON.stringify({ target, seed, ...counts, flaky, red, cpu_seconds: seconds }, null, 2))
rmSync(folder, { recursive: true, force: true })
const cpu = Object.values(seconds).reduce((sum, used) => sum + used, 0)
console.log(
  `${results.length} files in ${Math.round((performance.now() - started) / 1000)} s, ${Math.round(cpu)} CPU seconds without PostgreSQL and chromium`,
)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
if (interruption.signal.aborted) console.log('Interrupted.')
process.exit(red.length > 0 || interruption.signal.aborted ? 1 : 0)
