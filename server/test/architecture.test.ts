import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

/** The layers, from low to high. A file imports only from its own layer or a lower one. */
const LAYERS = [
  'core',
  'outbound',
  'db',
  'events',
  'http',
  'pages',
  'resources',
  'deliver',
  'upkeep',
  'app.ts',
  'start',
  'main.ts',
  'generate.ts',
  'check-api.ts',
  'cli',
]
const src = new URL('../src', import.meta.url).pathname
const files = (readdirSync(src, { recursive: true }) as string[]).filter((file) => /(?<!\.test)\.ts$/.test(file))
const read = (file: string) => readFileSync(join(src, file), 'utf8')
const importsOf = (file: string) =>
  [...read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path]) => relative(src, join(src, dirname(file), path as string)))
const rank = (file: string) => LAYERS.indexOf(file.split('/')[0] as string)
const resourceOf = (file: string) => /^resources\/([\w-]+)\//.exec(file)?.[1]
const importers = new Map<string, string[]>()
for (const file of files) for (const target of importsOf(file)) importers.set(target, [...(importers.get(target) ?? []), file])
/** True for files that only the routes of their own resource use. The order of resources does not bind them: they cannot close a cycle. */
const servesOnlyRoutes = (file: string): boolean =>
  file.endsWith('/routes.ts') ||
  (importers.get(file) ?? []).every((by) => resourceOf(by) === resourceOf(file) && (by.endsWith('/routes.ts') || servesOnlyRoutes(by)))
/** Resources in the order index.ts lists them. */
const order = [...read('resources/index.ts').matchAll(/import\('\.\/([\w-]+)\//g)].map(([, name]) => name as string)

for (const file of files) {
  test(`${file} imports only from its own layer or a lower one`, () => {
    assert.ok(rank(file) >= 0, `${file} is in no layer`)
    for (const target of importsOf(file)) {
      assert.ok(rank(target) <= rank(file), `${file} -> ${target}`)
      const [from, to] = [resourceOf(file), resourceOf(target)]
      if (!from || !to || from === to) continue
      assert.doesNotMatch(target, /routes\.ts$/, `${file} imports the routes of another resource`)
      if (servesOnlyRoutes(file)) continue
      assert.ok(order.indexOf(to) >= 0 && order.indexOf(to) < order.indexOf(from), `${from} is listed above ${to}`)
    }
  })
}

const diceSrc = new URL('../../dice/src', import.meta.url).pathname
const diceFiles = readdirSync(diceSrc).filter((file) => /(?<!\.test)\.ts$/.test(file))
const readDice = (file: string) => readFileSync(join(diceSrc, file), 'utf8')
const diceImportsOf = (file: string) =>
  [...readDice(file).matchAll(/(?:from |import |import\()'([^']+)'/g)].map(([, path]) => path as string)

test('the dice engine imports only its own files, and only one of them, which no other imports, needs Node', () => {
  assert.ok(diceFiles.includes('index.ts') && diceFiles.includes('node-crypto.ts'))
  for (const file of diceFiles)
    for (const path of diceImportsOf(file)) {
      const isOwn = path.startsWith('./') && path !== './node-crypto.ts' && diceFiles.includes(path.slice(2))
      assert.ok(isOwn || (file === 'node-crypto.ts' && path === 'node:crypto'), `dice/src/${file} -> ${path}`)
    }
  for (const file of diceFiles.filter((name) => name !== 'node-crypto.ts'))
    assert.doesNotMatch(readDice(file), /\b(Buffer|process|require|setImmediate)\b[.(]/, `dice/src/${file} uses a global of Node`)
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(readFileSync(join(diceSrc, '../package.json'), 'utf8'))
  assert.deepEqual([dependencies, devDependencies, peerDependencies], [undefined, undefined, undefined])
})

test('the rules engine imports only its own files, the dice engine and the types of schemas, and needs no Node', () => {
  const rules = new URL('../../rules/src/', import.meta.url).pathname
  const sources = globSync('**/*.ts', { cwd: rules }).filter((file) => !file.endsWith('.test.ts'))
  assert.ok(sources.includes('formula/read.ts'))
  for (const file of sources) {
    const source = readFileSync(join(rules, file), 'utf8')
    for (const [, path] of source.matchAll(/(?:from |import |import\()'([^']+)'/g))
      assert.match(
        path as string,
        /^(\.{1,2}\/[^']+\.ts|@guildhall\/dice\/(?!node-crypto)[a-z-]+|typebox)$/,
        `rules/src/${file} -> ${path}`,
      )
    assert.doesNotMatch(source, /import (?!type )[^']+'typebox'/, `rules/src/${file} loads typebox`)
    assert.doesNotMatch(source, /\b(Buffer|process|require|setImmediate|eval|Function)\b[.(]/, `rules/src/${file}`)
    assert.ok(source.split('\n').length <= 300, `rules/src/${file} is too long`)
  }
})

test('the server imports the engines of dice and rules as packages', () => {
  for (const file of files)
    for (const [, path] of read(file).matchAll(/(?:from |import\()'([^']*\b(?:dice|rules)\/src\b[^']*|typebox)'/g))
      assert.fail(`${file} -> ${path}`)
})

test('imports of the dice engine never form a cycle', () => {
  const walk = (file: string, trail: string[]): void => {
    assert.ok(!trail.includes(file), [...trail, file].join(' -> '))
    for (const path of diceImportsOf(file)) if (path.startsWith('./')) walk(path.slice(2), [...trail, file])
  }
  for (const file of diceFiles) walk(file, [])
})

const consoleSrc = new URL('../../console/src', import.meta.url).pathname
const consoleFiles = (readdirSync(consoleSrc, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file))
const readConsole = (file: string) => readFileSync(join(consoleSrc, file), 'utf8')
/** The packages that the console may use. Of ours, only the client, as any other application does. */
const CONSOLE_PACKAGES = [
  '@guildhall/client',
  '@guildhall/client/copies',
  '@guildhall/client/dice',
  'preact',
  'preact/hooks',
  'mdast',
  'mdast-util-from-markdown',
  'uqr',
]

test('the console uses the client and no other code of ours, and sets no HTML', () => {
  for (const file of consoleFiles) {
    for (const [, path = ''] of readConsole(file).matchAll(/(?:from |import |import\()'([^']+)'/g)) {
      const isOwn = path.startsWith('.') && !relative(consoleSrc, join(consoleSrc, dirname(file), path)).startsWith('..')
      assert.ok(isOwn || CONSOLE_PACKAGES.includes(path), `console/src/${file} -> ${path}`)
    }
    assert.doesNotMatch(readConsole(file), /innerHTML|dangerouslySet|insertAdjacentHTML|document\.write/, `console/src/${file}`)
  }
})

test('imports never form a cycle', () => {
  const done = new Set<string>()
  const walk = (file: string, trail: string[]): void => {
    assert.ok(!trail.includes(file), [...trail, file].join(' -> '))
    if (done.has(file)) return
    for (const next of importsOf(file)) walk(next, [...trail, file])
    done.add(file)
  }
  for (const file of files) walk(file, [])
})

test('the environment is read in one place', () => {
  const readers = files.filter((file) => read(file).includes('process.env'))
  assert.deepEqual(readers, ['core/config.ts'])
})

test('only a restore and the version check of doctor import the list of migrations', () => {
  const readers = files.filter((file) => /import \{[^}]*\bmigrations\b[^}]*\} from '[^']*migrate\.ts'/.test(read(file)))
  assert.deepEqual(readers.sort(), ['cli/checks.ts', 'db/backup/restore.ts'])
})

test('no file is longer than 300 lines', () => {
  const isLong = (text: string) => text.split('\n').length > 300
  const long = [
    ...files.filter((file) => isLong(read(file))),
    ...diceFiles.filter((file) => isLong(readDice(file))),
    ...consoleFiles.filter((file) => isLong(readConsole(file))),
  ]
  assert.deepEqual(long, [])
})

test('resources leave events, transactions, idempotency and headers to the pipeline', () => {
  for (const file of files.filter((name) => name.startsWith('resources/'))) {
    assert.doesNotMatch(read(file), /record\(|BEGIN|COMMIT|idempotency_keys|reply\.header|request\./, file)
  }
})
