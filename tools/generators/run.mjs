// Generates a client with each of several third-party generators, compiles it strictly, and makes calls with it to a real service: openapi.json must stay readable
// for all of them, and they must be able to sign in.
import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../../node_modules/esbuild/lib/main.js'
import { startService } from './service.mjs'

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'guildhall-generators-'))
symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
cpSync(join(here, '../../openapi.json'), join(folder, 'openapi.json'))
writeFileSync(join(folder, 'package.json'), '{"type":"module"}')

const run = (command, args, cwd = folder) => {
  const { status, stdout, stderr } = spawnSync(join(here, 'node_modules/.bin', command), args, { cwd, encoding: 'utf8', timeout: 240_000 })
  return { ok: status === 0, text: `${stdout}${stderr}` }
}

/** Runs the program of a client, as plain JavaScript: generated code leaves the extensions of imports to bundlers. */
async function call(out, variables) {
  const outfile = join(folder, out, 'program.mjs')
  await build({ entryPoints: [join(folder, out, 'program.ts')], bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' })
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], {
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    timeout: 60_000,
  })
  return { ok: stdout.trim() === EXPECTED, text: `${stdout}${stderr}` }
}

/** The values that a program gets, and the two calls that each makes: it creates a campaign, with no more than a name, and rolls dice. */
const PRELUDE = `declare const process: { env: Record<string, string> }
const { GUILDHALL_URL: url = '', GUILDHALL_API_KEY: key = '', COMPANY: company_id = '', USER_ID: user_id = '' } = process.env
`
const EXPECTED = 'Kingsport 0 2'

/** The generators, each with its command, and a program that uses the client. The address is for clients that get it when they are generated. */
const GENERATORS = {
  'openapi-typescript': {
    make: (out) => run('openapi-typescript', ['openapi.json', '-o', `${out}/api.ts`]),
    program: `import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'
${PRELUDE}
const client = createClient<paths>({ baseUrl: url, headers: { 'X-API-KEY': key } })
const path = { company_id, user_id }
const campaign = await client.POST('/api/v1/companies/{company_id}/users/{user_id}/campaigns', { params: { path }, body: { name: 'Kingsport' } })
const roll = await client.POST('/api/v1/companies/{company_id}/users/{user_id}/dice-rolls', { params: { path }, body: { notation: '2d6' } })
if (campaign.data && roll.data && 'dice' in roll.data) console.log(campaign.data.name, campaign.data.danger, roll.data.dice.length)
else console.log(campaign.error?.code, roll.error?.code)
// @ts-expect-error: a roll has a notation or a pool.
export const broken = () => client.POST('/api/v1/companies/{company_id}/users/{user_id}/dice-rolls', { params: { path }, body: {} })
export const role: components['schemas']['Role'] = 'PLAYER'
`,
  },
  '@hey-api/openapi-ts': {
    make: (out) => run('openapi-ts', ['-i', 'openapi.json', '-o', out, '--silent']),
    // It sends the key in every place that the document names.
    program: `import { client } from './client.gen.ts'
import { campaignsCreate, diceRollsCreate, type Role } from './index.ts'
${PRELUDE}
client.setConfig({ baseUrl: url, auth: () => key })
const path = { company_id, user_id }
const campaign = await campaignsCreate({ path, body: { name: 'Kingsport' } })
const roll = await diceRollsCreate({ path, body: { notation: '2d6' } })
if (campaign.data && roll.data && 'dice' in roll.data) console.log(campaign.data.name, campaign.data.danger, roll.data.dice.length)
else console.log(campaign.error, roll.error)
export const role: Role = 'PLAYER'
`,
  },
  orval: {
    make: (out, baseUrl) => {
      const config = {
        api: {
          input: './openapi.json',
          output: { target: `${out}/api.ts`, schemas: `${out}/model`, client: 'fetch', mode: 'split', baseUrl },
        },
      }
      writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
      return run('orval', ['--config', 'orval.config.mjs'])
    },
    program: `import { campaignsCreate, diceRollsCreate } from './api.ts'
${PRELUDE}
console.assert(url !== '')
const options = { headers: { 'X-API-KEY': key } }
const campaign = await campaignsCreate(company_id, user_id, { name: 'Kingsport' }, options)
const roll = await diceRollsCreate(company_id, user_id, { notation: '2d6' }, options)
if (campaign.status === 201 && roll.status === 201 && 'dice' in roll.data) console.log(campaign.data.name, campaign.data.danger, roll.data.dice.length)
else console.log(campaign.data, roll.data)
`,
  },
  'swagger-typescript-api': {
    make: (out) => run('swagger-typescript-api', ['generate', '-p', 'openapi.json', '-o', out, '-n', 'api.ts', '--silent']),
    program: `import { Api } from './api.ts'
${PRELUDE}
const { api } = new Api({ baseUrl: url, baseApiParams: { headers: { 'X-API-KEY': key }, format: 'json' } })
const campaign = await api.campaignsCreate(company_id, user_id, { name: 'Kingsport' })
const roll = await api.diceRollsCreate(company_id, user_id, { notation: '2d6' })
if ('dice' in roll.data) console.log(campaign.data.name, campaign.data.danger, roll.data.dice.length)
`,
  },
  oazapfts: {
    make: (out) => run('oazapfts', ['openapi.json', `${out}/api.ts`]),
    program: `import { campaignsCreate, defaults, diceRollsCreate } from './api.ts'
${PRELUDE}
Object.assign(defaults, { baseUrl: url, headers: { 'X-API-KEY': key } })
const campaign = await campaignsCreate(company_id, user_id, { name: 'Kingsport' })
const roll = await diceRollsCreate(company_id, user_id, { notation: '2d6' })
if (campaign.status === 201 && roll.status === 201 && 'dice' in roll.data) console.log(campaign.data.name, campaign.data.danger, roll.data.dice.length)
else console.log(campaign.data, roll.data)
`,
  },
  'typed-openapi': {
    make: (out) => run('typed-openapi', ['openapi.json', '-o', `${out}/api.ts`]),
    program: `import { createApiClient } from './api.ts'
${PRELUDE}
const headers = { 'X-API-KEY': key, 'Content-Type': 'application/json' }
const api = createApiClient(
  { fetch: (request) => fetch(request.url, { method: request.method.toUpperCase(), headers, body: JSON.stringify(request.parameters?.body) }) },
  url,
)
const path = { company_id, user_id }
const campaign = await api.post('/api/v1/companies/{company_id}/users/{user_id}/campaigns', { path, header: {}, body: { name: 'Kingsport' } })
const roll = await api.post('/api/v1/companies/{company_id}/users/{user_id}/dice-rolls', { path, header: {}, body: { notation: '2d6' } })
if ('dice' in roll) console.log(campaign.name, campaign.danger, roll.dice.length)
`,
  },
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
const service = await startService()
const variables = await service.scene()
let failed = false
for (const [name, { make, program }] of Object.entries(GENERATORS)) {
  const out = name.replace(/\W+/g, '-')
  mkdirSync(join(folder, out))
  const made = make(out, service.url)
  writeFileSync(join(folder, out, 'program.ts'), program)
  writeFileSync(join(folder, out, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const compiled = made.ok ? run('tsc', ['-p', out]) : made
  const called = compiled.ok ? await call(out, variables) : compiled
  const count = globSync('**/*.ts', { cwd: join(folder, out) }).length
  console.log(`${called.ok ? 'ok    ' : 'FAILED'} ${name}: ${count} file${count === 1 ? '' : 's'}`)
  if (!called.ok) console.log(called.text.split('\n').slice(0, 15).join('\n'))
  failed ||= !called.ok
}
await service.stop()
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
