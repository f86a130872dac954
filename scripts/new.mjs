// npm run new -- resource <plural name> [<singular name>]: generates a working resource from scripts/templates/resource.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stop = (sentence) => {
  console.error(sentence)
  process.exit(2)
}

const [kind, names, given] = process.argv.slice(2)
if (kind !== 'resource' || !names) stop('Usage: npm run new -- resource <plural-name> [<singular-name>], for example: resource plot-hooks')
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const name = given ?? names.replace(/ies$/, 'y').replace(/s$/, '')
if (!NAME.test(names) || !NAME.test(name)) stop('A name consists of lower-case words joined by hyphens, for example plot-hooks.')
if (names === name)
  stop(`The plural and the singular of ${names} are the same. Give both: npm run new -- resource <plural-name> <singular-name>`)

const folder = `${root}server/src/resources/${names}`
if (existsSync(folder)) stop(`server/src/resources/${names} exists already. Choose another name.`)

const snake = (text) => text.replaceAll('-', '_')
const spaced = (text) => text.replaceAll('-', ' ')
const upperFirst = (text) => text[0].toUpperCase() + text.slice(1)
const camel = (text) => text.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
const words = {
  kebabs: names,
  snakes: snake(names),
  snake: snake(name),
  camels: camel(names),
  Pascals: upperFirst(camel(names)),
  Pascal: upperFirst(camel(name)),
  nouns: spaced(names),
  noun: spaced(name),
  Nouns: upperFirst(spaced(names)),
  Noun: upperFirst(spaced(name)),
}
const fill = (template) =>
  readFileSync(`${root}scripts/templates/resource/${template}.txt`, 'utf8').replace(/__([A-Za-z]+?)__/g, (_, word) => words[word])

const migrations = `${root}server/src/db/migrations`
const last = Math.max(...readdirSync(migrations).map((file) => Number.parseInt(file, 10)))
const files = [
  [`${folder}/schema.ts`, 'schema.ts'],
  [`${folder}/queries.ts`, 'queries.ts'],
  [`${folder}/routes.ts`, 'routes.ts'],
  [`${folder}/${names}.test.ts`, 'test.ts'],
  [`${migrations}/${String(last + 1).padStart(4, '0')}_${words.snakes}.sql`, 'migration.sql'],
]
mkdirSync(folder)
for (const [file, template] of files) writeFileSync(file, fill(template))

/** Inserts a filled template, or a text, before a line of a file. */
const insert = (file, line, text) => {
  const before = readFileSync(file, 'utf8')
  if (!before.includes(line)) stop(`${file.slice(root.length)} has no line ${line.trim()}.`)
  writeFileSync(
    file,
    before.replace(line, () => `${text}${line}`),
  )
}
const index = `${root}server/src/resources/index.ts`
const catalog = `${root}server/src/events/catalog.ts`
const kinds = `${root}server/src/resources/changes/kinds.ts`
insert(index, "  import('./changes/routes.ts'),\n", `  import('./${names}/routes.ts'),\n`)
insert(catalog, '} as const\nexport type EventType', fill('events'))
insert(kinds, '} satisfies Record<string, Kind>', fill('kind'))
insert(kinds, 'import ', fill('kind-import'))

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) stop(`${command} ${args.join(' ')} failed. All files are written; fix the error, then run it again.`)
}
run(`${root}node_modules/.bin/biome`, 'check', '--write', folder, index, catalog, kinds)
run(process.execPath, `${root}server/src/generate.ts`)

console.log(`Created, for ${words.nouns} of a campaign:`)
for (const [file] of files) console.log(`  ${file.slice(root.length)}`)
console.log(
  `and listed them in ${[index, catalog, kinds].map((file) => file.slice(root.length)).join(', ')}. Next: adapt the fields, then run npm test -- ${names} conformance catalog`,
)
