// Generates a client with each of several third-party generators, and compiles it strictly: openapi.json must stay readable for all of them.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'guildhall-generators-'))
symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
cpSync(join(here, '../../openapi.json'), join(folder, 'openapi.json'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

const run = (command, args, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(join(here, 'node_modules/.bin', command), args, { cwd, encoding: 'utf8', timeout: 240_000 })
  return { ok: status === 0, text: `${stdout}${stderr}` }
}

/** The generators, each with its command. `program` is a use of the client, which must compile, too. */
const GENERATORS = {
  'openapi-typescript': {
    make: (out) => run('openapi-typescript', ['openapi.json', '-o', `${out}/api.ts`, '--default-non-nullable', 'false']),
    program: `import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
const client = createClient<paths>({ baseUrl: 'http://localhost' })
const path = { company_id: '', user_id: '' }
const { data, error } = await client.POST('/api/v1/companies/{company_id}/users/{user_id}/dice-rolls', { params: { path }, body: { notation: '1d20' } })
if (data && 'total' in data) console.log(data.total)
else if (error) console.log(error.code)
// @ts-expect-error: a roll has a notation or a pool.
await client.POST('/api/v1/companies/{company_id}/users/{user_id}/dice-rolls', { params: { path }, body: {} })
export const role: components['schemas']['Role'] = 'PLAYER'
`,
  },
  '@hey-api/openapi-ts': {
    make: (out) => run('openapi-ts', ['-i', 'openapi.json', '-o', out, '--silent']),
    program: `import { diceRollsCreate, type Role } from './index.ts'
const { data } = await diceRollsCreate({ path: { company_id: '', user_id: '' }, body: { pool: { dice: 5 } } })
if (data && 'total' in data) console.log(data.total)
export const role: Role = 'PLAYER'
`,
  },
  orval: {
    make: (out) => {
      const config = {
        api: { input: './openapi.json', output: { target: `${out}/api.ts`, schemas: `${out}/model`, client: 'fetch', mode: 'split' } },
      }
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
      return run('orval', ['--config', 'orval.config.mjs'])
    },
  },
  'swagger-typescript-api': {
    make: (out) => run('swagger-typescript-api', ['generate', '-p', 'openapi.json', '-o', out, '-n', 'api.ts', '--silent']),
  },
  oazapfts: { make: (out) => run('oazapfts', ['openapi.json', `${out}/api.ts`]) },
  'typed-openapi': { make: (out) => run('typed-openapi', ['openapi.json', '-o', `${out}/api.ts`]) },
}

const compilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'preserve',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
}
let failed = false
for (const [name, { make, program }] of Object.entries(GENERATORS)) {
  const out = name.replace(/\W+/g, '-')
  mkdirSync(join(folder, out))
  const made = make(out)
  if (program) writeFileSync(join(folder, out, 'program.ts'), program)
  writeFileSync(join(folder, out, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const compiled = made.ok ? run('tsc', ['-p', out]) : made
  const count = globSync('**/*.ts', { cwd: join(folder, out) }).length
  console.log(`${compiled.ok ? 'ok    ' : 'FAILED'} ${name}: ${count} file${count === 1 ? '' : 's'}`)
  if (!compiled.ok) console.log(compiled.text.split('\n').slice(0, 15).join('\n'))
  failed ||= !compiled.ok
}
// Generators that know only OpenAPI 3.0 get a document without unions. Nothing that such a generator trips over may be left in it.
const converted = spawnSync(process.execPath, [join(here, 'to-3.0.mjs')], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const { components, ...rest } = JSON.parse(converted.stdout)
const text = JSON.stringify({ components, ...rest })
const later = text.match(/"(oneOf|anyOf|propertyNames|dependentSchemas|const)":|"type":("null"|\[)/)?.[0]
const dangling = [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].find(([, kind, name]) => !components[kind]?.[name])?.[0]
const fields = Object.keys(components.schemas.DiceRollCreate.properties)
const lost = ['notation', 'pool', 'rolls'].find((name) => !fields.includes(name))
const fault = later ?? dangling ?? lost
console.log(`${fault ? 'FAILED' : 'ok    '} OpenAPI 3.0 without unions${fault ? `: ${fault}` : ''}`)
failed ||= Boolean(fault)

if (process.env.KEEP) console.log(folder)
else rmSync(folder, { recursive: true, force: true })
process.exit(failed ? 1 : 0)
