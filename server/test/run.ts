import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { distributeTables } from '../src/db/distribute.ts'
import { startEmbedded } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import '../src/resources/declarations.ts'
import { launchBrowser, missingBrowser } from './browser.ts'
import { FEW_SHARDS, missingCitus, runAt, startCitus } from './citus.ts'
import { missingPrism, startPrism } from './prism.ts'
import { reportClient } from './report-client.ts'
import { missingPooler, startPooled } from './third-party.ts'

// Runs the tests on a PostgreSQL server that is started for this run. Its database is migrated once and cloned for each test file.
// npm test -- idempotency     only test files whose path contains the word
// npm test -- --only=name     only tests whose name contains the text
// npm test -- --pooled        on PostgreSQL 15 behind pgbouncer, if both are installed
// npm test -- --citus         on a Citus cluster of a coordinator and two workers, if CITUS_BIN names a PostgreSQL with Citus
// npm test -- --proxied       the tests of the resources through Prism, which validates against openapi.json, if it is installed
// npm test -- --client        the tests of the resources through @guildhall/client
const root = new URL('../', import.meta.url).pathname
const pooled = process.argv.includes('--pooled')
const proxied = process.argv.includes('--proxied')
const client = process.argv.includes('--client')
const citus = process.argv.includes('--citus')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
/** Tests that start their own servers, use none, or run no statement that other tests do not run: they are not repeated on another server. */
const NOT_REPEATED = new RegExp(
  `/(${[
    'embedded|embedded-log|data-folder|start|cli|cluster|backup|restore|distribute|scaling-guide|deploy|redis|overload|observe|log',
    'docs|docs-pages|docs-browser|live-page|discord-bot|console|webhook-commands|openapi|openapi-webhooks|parameter-names|stated-rules',
    'architecture|language|new-resource|split-statements|core|bodies|naughty|negotiation|compression|response-size|wire|sockets|rate-limit',
    'fairness|fairness-of-pool|rules|example-rulesets|pack-examples|formula-reference|hostile-rulesets|verify-named-roll|excerpts',
    // Every operation with every kind of caller: conformance.test.ts runs the operations, and the tests of tokens and sessions the callers.
    'conformance-sessions|conformance-tokens',
  ].join('|')})\\.test\\.ts$`,
)
/** Test files, relative to the server. The engines of dice and rules need no database; client and console are tested once, on one server. */
const files = globSync(
  ['{src,test}/**/*.test.ts', '../{dice,rules}/src/**/*.test.ts', '../client/test/**/*.test.ts', '../console/test/**/*.test.ts'],
  { cwd: root },
)
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !(pooled || proxied || client || citus) || !(file.startsWith('../') || NOT_REPEATED.test(file)))
  .filter((file) => !(proxied || client) || file.startsWith('src/resources/'))
if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`)
  process.exit(1)
}
const skipped =
  (citus && missingCitus() && `all tests on Citus: ${missingCitus()}`) ||
  (pooled && missingPooler() && `all tests on PostgreSQL 15 behind pgbouncer: ${missingPooler()}`) ||
  (proxied && missingPrism() && `tests of the resources through Prism: ${missingPrism()}`)
if (skipped) {
  console.log(`# SKIPPED, ${skipped}`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
// The data of this server is temporary and need not survive a crash. Tests of crashes start their own server.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off', max_connections: '300' }
interface TestServer {
  url: string
  /** The URL without the pooler. */
  direct?: string
  /** The servers of a cluster. */
  servers?: string[]
  stop(): Promise<void>
}

/** Starts a cluster with a migrated and distributed database, which is closed so that it can be cloned on every node. */
async function startDistributed(): Promise<TestServer> {
  const { url, servers, stop } = await startCitus(folder, FEW_SHARDS)
  await migrate(url)
  const client = new pg.Client(url)
  await client.connect()
  await distributeTables(client).finally(() => client.end())
  for (const server of servers) await runAt(server, 'ALTER DATABASE guildhall ALLOW_CONNECTIONS false', DISCONNECT)
  return { url, servers, stop }
}

const DISCONNECT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'guildhall'"

const startServer = (): Promise<TestServer> =>
  citus ? startDistributed() : pooled ? startPooled(folder, settings) : startEmbedded(folder, { settings })
const { url, direct, servers, stop } = await startServer()
if (!servers) await migrate(direct ?? url)
const prism = proxied ? await startPrism() : undefined
const browser = missingBrowser() ? undefined : await launchBrowser()

const args = ['--test', `--test-concurrency=${citus ? 2 : 3}`, `--test-timeout=${citus ? 600_000 : 120_000}`, '--test-reporter=spec']
// Measurements and tests that repeat a request a thousand times find nothing new on another server or through Prism.
if (pooled || citus) args.push('--test-skip-pattern=/100,000 rows|memory does not grow/')
// Prism answers a request without a described credential by itself.
if (proxied)
  args.push(
    '--test-skip-pattern=/one credential is accepted|100,000 rows|any number of times|less than 50 ms|statistics cover exactly|owner stays a member|balances are the sums/',
  )

const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
if (only) args.push(`--test-name-pattern=${only}`)

const clientLog = client ? join(folder, 'client.jsonl') : undefined
if (clientLog) writeFileSync(clientLog, '')

const env = {
  ...process.env,
  // What one test file compiled, the others need not compile again: most of them load the whole service.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '../node_modules/.cache/guildhall'),
  TEST_DATABASE_URL: url,
  ...(servers && { TEST_SERVERS: servers.join(' ') }),
  DATABASE_POOLER: pooled ? 'transaction' : 'none',
  ...(browser && { TEST_BROWSER_URL: browser.wsEndpoint() }),
  ...(prism && { TEST_PRISM_URL: prism.url }),
  ...(clientLog && { TEST_CLIENT_LOG: clientLog }),
}
const tests = spawn(process.execPath, [...args, ...files.sort()], { cwd: root, stdio: 'inherit', env })
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await prism?.stop()
await browser?.close()
if (clientLog) reportClient(clientLog)
await stop()
rmSync(folder, { recursive: true, force: true })
process.exit(code)
