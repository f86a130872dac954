import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/db/embedded/server.ts'
import { migrate } from '../src/db/migrate.ts'

// Runs the tests on a real PostgreSQL made for this run: migrated once, then cloned for each file.
// npm test -- idempotency     only the files whose path contains the word
const root = new URL('../', import.meta.url).pathname
const words = process.argv.slice(2)
const files = globSync('{src,test}/**/*.test.ts', { cwd: root }).filter(
  (file) => words.length === 0 || words.some((word) => file.includes(word)),
)
if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
// This server's data is thrown away: what a crash would lose does not matter here. The crash tests start their own.
const postgres = await startEmbedded(folder, {
  settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
})
await migrate(postgres.url)

const args = ['--test', '--test-concurrency=3', '--test-timeout=120000', '--test-reporter=spec', ...files.sort()]
const tests = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_DATABASE_URL: postgres.url } })
const code = await new Promise<number>((resolve) => tests.once('exit', (status) => resolve(status ?? 1)))
await postgres.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(code)
