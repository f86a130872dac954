// Bundles the console into dist/: one page, one style sheet, and scripts with the hash of their content in their names. The same sources give the same files.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'console/dist')
const stamp = join(dist, 'built-from')

/** The folders and files that the bundle is made of. */
const SOURCES = ['console/src', 'console/index.html', 'console/build.mjs', 'client/src', 'dice/src', 'package-lock.json']

/** Parts that most pages consist of. Each page imports all of them. */
const SHARED_PARTS = ['app.tsx', 'archived', 'charts', 'data', 'play', 'ui'].map((part) => `console/src/${part}`)

function filesOf(path) {
  if (!existsSync(join(root, path))) return []
  const entries = path.includes('.') ? undefined : readdirSync(join(root, path), { withFileTypes: true })
  if (!entries) return [path]
  return entries.flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : `${path}/${entry.name}`))
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

/**
 * Makes every page import all shared parts. esbuild makes a chunk for each combination of pages that import a module: without this, the shared parts
 * are in dozens of chunks, and a sheet takes 43 requests.
 */
const importSharedParts = {
  name: 'import-shared-parts',
  setup({ onResolve, onLoad }) {
    const parts = SHARED_PARTS.flatMap(filesOf).filter((path) => /\.tsx?$/.test(path))
    const imports = parts.sort().map((path) => `import ${JSON.stringify(join(root, path))}\n`)
    const pages = new Set()
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import') pages.add(join(resolveDir, path))
    })
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (pages.has(path)) return { contents: `${readFileSync(path, 'utf8')}\n${imports.join('')}`, loader: 'tsx' }
    })
  },
}

/** Builds the console, unless its files are of the present sources. */
export async function buildConsole() {
  const hash = hashOf(SOURCES.flatMap(filesOf))
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  // Loaded here: most starts find the files that they need, and are not slowed down.
  const { build } = await import('esbuild')
  rmSync(dist, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['console/src/main.tsx'],
    outdir: dist,
    plugins: [importSharedParts],
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    assetNames: 'assets/[name]-[hash]',
    alias: {
      '@guildhall/client': join(root, 'client/src/index.ts'),
      '@guildhall/client/copies': join(root, 'client/src/copies.ts'),
      '@guildhall/client/dice': join(root, 'client/src/dice.ts'),
    },
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  })
  const built = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === 'console/src/main.tsx')
  const address = (path) => `/${path.replace(/^console\/dist/, 'console')}`
  const page = readFileSync(join(root, 'console/index.html'), 'utf8')
    .replace('%SCRIPT%', address(built[0]))
    .replace('%STYLE%', address(built[1].cssBundle))
  mkdirSync(dist, { recursive: true })
  writeFileSync(join(dist, 'index.html'), page)
  writeFileSync(stamp, hash)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildConsole()
