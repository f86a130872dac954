import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const root = new URL('../../', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'guildhall-build-'))
after(() => rmSync(folder, { recursive: true, force: true }))

interface Manifest {
  dependencies?: Record<string, string>
}

/** The packages that a package needs when it runs, and those that they need. */
function packagesOf(manifest: string, found = new Set<string>()): Set<string> {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as Manifest
  for (const name of Object.keys(dependencies)) {
    if (found.has(name)) continue
    found.add(name)
    packagesOf(`node_modules/${name}/package.json`, found)
  }
  return found
}

/** Everything that the console is made of, in a folder of its own, as in a clone on another machine. Only the bundler, of which nothing gets into the files, is shared. */
function newClone(name: string): string {
  const clone = join(folder, name)
  const parts = ['console/src', 'console/index.html', 'console/build.mjs', 'client/src', 'dice', 'package-lock.json']
  for (const part of [...parts, ...[...packagesOf('console/package.json')].map((each) => `node_modules/${each}`)])
    cpSync(join(root, part), join(clone, part), { recursive: true, verbatimSymlinks: true })
  for (const part of ['node_modules/esbuild', 'node_modules/@esbuild']) symlinkSync(join(root, part), join(clone, part))
  return clone
}

const build = (clone: string) => execFileSync(process.execPath, [join(clone, 'console/build.mjs')], { stdio: 'inherit' })

/** The files of a build with their contents. */
function filesOf(clone: string): Map<string, string> {
  const dist = join(clone, 'console/dist')
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(dist, name)).isFile())
  return new Map(names.sort().map((name) => [name, readFileSync(join(dist, name), 'latin1')]))
}

test('the same sources give the same files, byte for byte, wherever they are', () => {
  const [one, two] = [newClone('one'), newClone('another/folder')]
  build(one)
  build(two)
  const built = filesOf(one)
  assert.ok(built.size > 20, `${built.size} files`)
  assert.deepEqual([...filesOf(two).keys()], [...built.keys()])
  for (const [name, content] of filesOf(two)) assert.ok(content === built.get(name), name)
  for (const content of built.values()) assert.ok(!content.includes(folder), 'no path of the machine is in a file')
})

test('a build is kept until a source changes', () => {
  const clone = newClone('again')
  const builtAt = () => statSync(join(clone, 'console/dist/index.html'), { bigint: true }).mtimeNs
  build(clone)
  const first = builtAt()
  build(clone)
  assert.equal(builtAt(), first)
  appendFileSync(join(clone, 'client/src/index.ts'), '// A change\n')
  build(clone)
  assert.notEqual(builtAt(), first)
})
