import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, test } from 'node:test'

const root = new URL('../../', import.meta.url).pathname
const copy = mkdtempSync(join(tmpdir(), 'guildhall-new-'))
after(() => rmSync(copy, { recursive: true, force: true }))

const NOT_COPIED = new Set(['node_modules', '.git', 'data'])

/** Runs a command in the copy, as a developer would, without the environment of this test run. */
function run(command: string, args: string[], expected = 0): string {
  const { NODE_OPTIONS, NODE_TEST_CONTEXT, TEST_DATABASE_URL, ...env } = process.env
  const path = `${dirname(process.execPath)}:${env.PATH}`
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...env, PATH: path },
    maxBuffer: 2 ** 26,
  })
  assert.equal(status, expected, `${command} ${args.join(' ')}\n${stdout.slice(-4000)}${stderr.slice(-2000)}`)
  return stdout + stderr
}
const create = (...args: string[]) => run(process.execPath, ['scripts/new.mjs', 'resource', ...args])

test('a generated resource is five files and its entries in three lists, and passes the tests of operations and tables and its own', {
  timeout: 300_000,
}, () => {
  cpSync(root, copy, { recursive: true, filter: (source) => !NOT_COPIED.has(basename(source)) })
  for (const modules of ['node_modules', 'server/node_modules']) symlinkSync(join(root, modules), join(copy, modules))
  assert.match(create('plot-hooks'), /server\/src\/resources\/plot-hooks\/routes\.ts/)

  const differences = run('diff', ['-rq', '--exclude=node_modules', join(root, 'server'), 'server'], 1)
    .trim()
    .split('\n')
  assert.deepEqual(differences.map((line) => line.replace(root, '')).sort(), [
    'Files server/src/events/catalog.ts and server/src/events/catalog.ts differ',
    'Files server/src/resources/changes/kinds.ts and server/src/resources/changes/kinds.ts differ',
    `Files server/src/resources/index.ts and server/src/resources/index.ts differ`,
    `Only in server/src/db/migrations: ${differences.join().match(/\d{4}_plot_hooks\.sql/)?.[0]}`,
    'Only in server/src/resources: plot-hooks',
  ])
  const lines = (folder: string) => readFileSync(join(folder, 'server/src/resources/index.ts'), 'utf8').split('\n').length
  assert.equal(lines(copy), lines(root) + 1)

  run(join(copy, 'node_modules/.bin/tsc'), ['--noEmit', '-p', 'server', '--checkers', '1'])
  run(join(copy, 'node_modules/.bin/biome'), ['check', 'server/src/resources'])
  const words = ['plot-hooks', 'catalog', 'architecture', 'openapi.test', 'changes/rules', 'conformance:^plotHooks']
  const conformance = run(process.execPath, ['server/test/run.ts', ...words, '--verbose'])
  assert.match(conformance, /✔ plotHooks\.restore: /)
  assert.ok(Number(/(\d+) passed/.exec(conformance)?.[1]) >= 90, conformance.slice(-500))
})

test('names that cannot be used are rejected', () => {
  assert.match(run(process.execPath, ['scripts/new.mjs', 'resource', 'users'], 2), /exists already/)
  assert.match(run(process.execPath, ['scripts/new.mjs', 'resource', 'Plot Hooks'], 2), /lower-case words/)
  assert.match(run(process.execPath, ['scripts/new.mjs', 'resource', 'lore'], 2), /Give both/)
  assert.match(run(process.execPath, ['scripts/new.mjs'], 2), /Usage/)
})
