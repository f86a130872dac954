import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'

const dist = new URL('../dist/', import.meta.url).pathname
const MAX_INITIAL_BYTES = 40_000
/** Of a page with everything before it and all that it loads when it is used, such as the check of a roll. */
const MAX_PAGE_BYTES = 90_000
/** Of a page with everything before it. Each is a request. */
const MAX_PAGE_SCRIPTS = 13

const read = (file: string) => readFileSync(join(dist, file), 'utf8')
const scripts = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js'))

const namesIn = (file: string, pattern: RegExp) => [...read(file).matchAll(pattern)].map(([, name]) => `assets/${name}`)
/** The scripts that a script loads at once, and not only when a page is opened. */
const importsOf = (file: string) => namesIn(file, /(?:from|import)\s*"\.\/([^"]+\.js)"/g)
/** The scripts that a script loads when they are needed. */
const lazyImportsOf = (file: string) => namesIn(file, /import\("\.\/([^"]+\.js)"\)/g)

/** A script and everything that it loads in these ways. */
function closureOf(files: readonly string[], next: (file: string) => string[]): Set<string> {
  const found = new Set<string>()
  const visit = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    next(file).forEach(visit)
  }
  files.forEach(visit)
  return found
}

const sizeOf = (files: Iterable<string>) =>
  [...files].map((file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length).reduce((sum, size) => sum + size, 0)

const entries = [...read('index.html').matchAll(/src="\/console\/([^"]+)"/g)].map(([, file]) => file as string)
const initial = closureOf(entries, importsOf)

test('the scripts before the first page are small', (t) => {
  const total = sizeOf(initial)
  t.diagnostic(`${total} bytes gzipped in ${initial.size} of ${scripts.length} scripts`)
  assert.ok(initial.size < scripts.length, 'pages are loaded when they are opened')
  assert.ok(total <= MAX_INITIAL_BYTES, `${total} bytes`)
})

test('no page needs many more bytes and scripts than these', (t) => {
  const pages = [...initial].flatMap(lazyImportsOf)
  assert.ok(pages.length > 15, `${pages.length} pages`)
  const counts = pages.map((page) => closureOf([...initial, page], importsOf).size)
  t.diagnostic(`at most ${Math.max(...counts)} scripts`)
  assert.ok(Math.max(...counts) <= MAX_PAGE_SCRIPTS, counts.join(' '))
  const sizes = pages.map((page): [number, string] => {
    const all = closureOf([page], (file) => [...importsOf(file), ...(initial.has(file) ? [] : lazyImportsOf(file))])
    return [sizeOf(new Set([...initial, ...all])), page]
  })
  const [most = 0, largest] = sizes.sort(([a], [b]) => b - a)[0] ?? []
  t.diagnostic(`at most ${most} bytes gzipped: ${largest}`)
  assert.ok(most <= MAX_PAGE_BYTES, `${largest}: ${most} bytes`)
})
