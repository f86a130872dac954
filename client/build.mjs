// Compiles the sources to JavaScript with declarations. TypeScript leaves the extensions of imports in declarations, which not every tool understands.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [target = 'dist'] = process.argv.slice(2)
const project = new URL('tsconfig.build.json', import.meta.url).pathname
const tsc = new URL('../node_modules/.bin/tsc', import.meta.url).pathname
rmSync(target, { recursive: true, force: true })
execFileSync(tsc, ['-p', project, '--outDir', target], { stdio: 'inherit' })
for (const name of readdirSync(target, { recursive: true })) {
  const file = join(target, name)
  if (file.endsWith('.d.ts'))
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from ['"]\.{1,2}\/[\w./-]+)\.ts(?=['"])/g, '$1.js'))
}
