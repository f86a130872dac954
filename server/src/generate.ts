import { readFileSync, writeFileSync } from 'node:fs'
import { fillFormulaPage } from '@guildhall/rules/ruleset/formula-page'
import { EVENTS, FEED_ONLY_EVENTS } from './events/catalog.ts'
import { clientSource } from './http/reference/client/client.ts'
import { formatJson } from './http/reference/format.ts'
import { openapi } from './http/reference/openapi.ts'
import { KINDS as RESOURCES } from './resources/changes/kinds.ts'
import { type DeclaredTable, declaredTables } from './resources/declarations.ts'
import { operations } from './resources/index.ts'

// Writes the files that follow from the code. With --check, only compares the committed files with it.

const KINDS: Record<DeclaredTable['distribution'], string> = {
  company: 'distributed by `company_id`',
  id: 'distributed by `id`',
  reference: 'reference, on every machine',
}
const DISTRIBUTION = /(?<=\| Kind \| Tables \|\n\|---\|---\|\n)(\|.*\n)+/

/** The rows of the table in docs/scaling.md: how each table is distributed over machines. */
const distributionRows = () =>
  Object.entries(KINDS)
    .flatMap(([kind, label]) => {
      const names = declaredTables().flatMap(({ name, distribution }) => (distribution === kind ? [name] : []))
      return names.length ? [`| ${label} | ${names.sort().join(', ')} |\n`] : []
    })
    .join('')

/** The rows of a table of event types in docs/events.md. */
const eventRows = (types: Record<string, string>) =>
  Object.entries(types)
    .map(([type, sentence]) => `| \`${type}\` | ${sentence} |\n`)
    .join('')
const TYPES = /(?<=\| Type \| Meaning \|\n\|---\|---\|\n)(\|.*\n)+/g

/** The codes in docs/errors.md, which a test compares with the code. */
const errorCodes = () =>
  [...read('docs/errors.md').matchAll(/^\| \d{3} \| ([^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code),
  )

const resourceTypes = Object.fromEntries(
  Object.entries(RESOURCES).map(([kind, { schema }]) => [kind, (schema as { title?: string }).title ?? kind]),
)

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const tables: Record<string, string>[] = [EVENTS, FEED_ONLY_EVENTS]
const files = {
  'client/src/generated.ts': clientSource(operations, errorCodes(), resourceTypes),
  'openapi.json': `${formatJson(JSON.parse(JSON.stringify(openapi(operations))))}\n`,
  'docs/events.md': read('docs/events.md').replace(TYPES, () => eventRows(tables.shift() ?? {})),
  'docs/formulas.md': fillFormulaPage(read('docs/formulas.md')),
  'docs/scaling.md': read('docs/scaling.md').replace(DISTRIBUTION, distributionRows),
}

for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(new URL(`../../${path}`, import.meta.url), text)
  else if (read(path) !== text) {
    console.error(`${path} is out of date. Run npm run generate.`)
    process.exitCode = 1
  }
}
