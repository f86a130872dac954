import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'
import { missingPooler, startPooled } from './foreign.ts'
import { missingPrism, startPrism } from './prism.ts'

// Runs the tests on a real PostgreSQL made for this run: migrated once, then cloned for each file.
// npm test -- idempotency     only the files whose path contains the word
// npm test -- --pooled        on PostgreSQL 15 behind pgbouncer, where both are installed
// npm test -- --proxied       the stories of the resources, each request held against openapi.json by Prism, where that is installed
const root = new URL('../', import.meta.url).pathname
const pooled = process.argv.includes('--pooled')
const proxied = process.argv.includes('--proxied')
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
/** What starts a server of its own, or asks nothing of one but what others ask too, need not be tried on another. */
const own =
  /(embedded|embedded-log|data-folder|start|cli|cluster|overload|observe|operating|redis|deploy|backup|restore|fairness|architecture|openapi|bodies|naughty|core|rules|draw|notation|pool|odds)\.test\.ts$/
const files = globSync('{src,test}/**/*.test.ts', { cwd: root })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !(pooled || proxied) || !own.test(file))
  .filter((file) => !proxied || file.startsWith('src/resources/'))
if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`)
  process.exit(1)
}
const skipped =
  (pooled && missingPooler() && `all tests on PostgreSQL 15 behind pgbouncer: ${missingPooler()}`) ||
  (proxied && missingPrism() && `the stories through Prism: ${missingPrism()}`)
if (skipped) {
  console.log(`# SKIPPED, ${skipped}`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
// This server's data is thrown away: what a crash would lose does not matter here. The crash tests start their own.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }
const { url, direct, stop } = pooled
  ? await startPooled(folder, settings)
  : { direct: undefined, ...(await startEmbedded(folder, { settings })) }
await migrate(direct ?? url)
const prism = proxied ? await startPrism() : undefined

const args = ['--test', '--test-concurrency=3', '--test-timeout=120000', '--test-reporter=spec']
// What measures, or asks the same thing a thousand times, tells nothing new on another server, and Prism less.
if (pooled) args.push('--test-skip-pattern=/100,000 rows|memory does not grow/')
if (proxied)
  args.push('--test-skip-pattern=/100,000 rows|for ever|less than 50 ms|long texts|statistics are what|whatever happens at once/')

const env = {
  ...process.env,
  TEST_DATABASE_URL: url,
  DATABASE_POOLER: pooled ? 'transaction' : 'none',
  ...(prism && { TEST_PRISM_URL: prism.url }),
}
const tests = spawn(process.execPath, [...args, ...files.sort()], { cwd: root, stdio: 'inherit', env })
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await prism?.stop()
await stop()
rmSync(folder, { recursive: true, force: true })
process.exit(code)
