import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { VERSION } from '../src/index.ts'
import { clientFolder, installClient, repository, run, TSC } from './install.ts'

const MAX_GZIPPED_BYTES = 6500

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-client-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const manifest = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8'))
const TOOLS = join(repository, 'tools/client-runtimes/node_modules')
const missingTools = !existsSync(TOOLS) && 'not installed. Run npm ci --prefix tools/client-runtimes'

test('the whole client, with all operations, is small', async (t) => {
  const bundle = async (entry: string) => {
    const { outputFiles } = await build({
      entryPoints: [join(clientFolder, entry)],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      write: false,
    })
    return outputFiles[0]?.contents as Uint8Array
  }
  const bytes = await bundle('src/index.ts')
  const gzipped = gzipSync(bytes, { level: 9 }).length
  t.diagnostic(`@guildhall/client: ${bytes.length} bytes minified, ${gzipped} gzipped, of at most ${MAX_GZIPPED_BYTES}`)
  assert.ok(gzipped <= MAX_GZIPPED_BYTES, `${gzipped} bytes`)
  for (const entry of ['copies', 'dice', 'webhooks']) {
    const part = await bundle(`src/${entry}.ts`)
    t.diagnostic(`@guildhall/client/${entry}: ${part.length} bytes minified, ${gzipSync(part, { level: 9 }).length} gzipped`)
  }
  assert.doesNotMatch(Buffer.from(bytes).toString(), /webhook-signature/, 'webhooks are verified by an entry of their own')
})

test('the package says its version, and depends on nothing', () => {
  assert.equal(manifest.version, VERSION)
  assert.deepEqual([manifest.dependencies, manifest.peerDependencies, manifest.sideEffects], [undefined, undefined, false])
})

test('the README of the package has no relative links, which lead nowhere outside the repository', () => {
  const links = [...readFileSync(join(clientFolder, 'README.md'), 'utf8').matchAll(/\]\((.+?)\)/g)].map(([, target]) => target)
  assert.deepEqual(
    links.filter((link) => !/^https?:\/\//.test(link ?? '')),
    [],
  )
})

test('npm pack makes a package of plain JavaScript and declarations that imports nothing from elsewhere', async (t) => {
  const folder = newFolder()
  await run('npm', ['pack', '--pack-destination', folder], { cwd: clientFolder })
  const [archive] = readdirSync(folder)
  assert.equal(archive, `guildhall-client-${VERSION}.tgz`)
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${archive}`], { cwd: folder })
  const installed = join(folder, 'node_modules/@guildhall/client')
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) assert.match(file.slice(installed.length), /^\/(package\.json|README\.md|LICENSE|dist\/.+\.(js|d\.ts))$/)
  for (const file of files.filter((name) => /\.(js|ts)$/.test(name))) {
    const imports = [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?['"]([^'"]+)['"]/g)].map(([, path]) => path as string)
    for (const path of imports) assert.match(path, /^\.\.?\/[\w./-]+\.js$/, `${file} imports ${path}`)
  }
  for (const node of [process.execPath, ...(missingTools ? [] : [node20()])]) {
    const { stdout } = await run(node, ['-p', "import('@guildhall/client').then(({ VERSION }) => console.log(VERSION)); process.version"], {
      cwd: folder,
    })
    assert.match(stdout, new RegExp(VERSION.replaceAll('.', '\\.')))
    const entries = "import('@guildhall/client/webhooks').then(({ verifyWebhook }) => console.log(typeof verifyWebhook)); 0"
    assert.match((await run(node, ['-p', entries], { cwd: folder })).stdout, /function/)
  }
  await t.test('publint and arethetypeswrong find nothing', { skip: missingTools }, async () => {
    await run(process.execPath, [join(TOOLS, 'publint/src/cli.js'), '--strict', installed])
    await run(process.execPath, [
      join(TOOLS, '@arethetypeswrong/cli/dist/index.js'),
      join(folder, archive as string),
      '--profile',
      'esm-only',
    ])
  })
})

const node20 = () => join(TOOLS, `node20-linux-${process.arch}/bin/node`)

const CONSUMER = `
import { parse, verifyRoll } from '@guildhall/client/dice'
import { applyChange, copyKey } from '@guildhall/client/copies'
import { verifyWebhook, WebhookError, type WebhookEvent, type WebhookHeaders } from '@guildhall/client/webhooks'
import { ApiError, type FeedItem, type Character, type ClientOptions, type ErrorCode, Guildhall, metaOf, type Note } from '@guildhall/client'

const gh = new Guildhall({ apiKey: 'glh_x', baseUrl: 'https://guildhall.example', fetch: globalThis.fetch })
const options: ClientOptions = { token: async () => 'glu_x', baseUrl: '' }
const campaign = new Guildhall(options).company('c').as('u').campaign('k')

export async function check(signal: AbortSignal): Promise<Character> {
  const crane = await campaign.characters.create({ name: 'Crane', concept: undefined, traits: { wits: 3 } }, { signal })
  const page = await campaign.characters.list({ limit: 5, sort: '-name' })
  const first: string | undefined = page.items[0]?.name
  for await (const character of campaign.characters.list()) console.log(character.name, first)
  const all: { id: string }[] = await campaign.characters.list().all(3)
  const roll = await campaign.notes.create({ title: 'x' }, { idempotencyKey: 'k' })
  const one: string = (await gh.company('c').as('u').diceRolls.create({ notation: '2d6' })).text
  const many = (await gh.company('c').as('u').diceRolls.create({ notation: '2d6', repeat: 2 })).items
  const nothing: undefined | void = await campaign.notes.delete(roll.id, { ifMatch: roll })
  for await (const { cursor, type } of campaign.events({ after: 'x', types: ['character.*'], signal })) console.log(cursor, type)
  try {
    await campaign.experience.spend({ amount: 1, reason: 'x' })
  } catch (error) {
    if (ApiError.is(error, 'not_enough_experience', 'no_player')) {
      const code: 'not_enough_experience' | 'no_player' = error.code
      console.log(code, error.faults, error.retryAfter)
    } else if (ApiError.is(error)) {
      // @ts-expect-error A newer service may have other codes.
      const known: ErrorCode = error.code
      console.log(known, error.code === 'of_the_future')
    }
  }
  // @ts-expect-error A name is required.
  await campaign.characters.create({})
  // @ts-expect-error No such status.
  await campaign.characters.list({ status: 'ASLEEP' })
  // @ts-expect-error A read has no key.
  await campaign.characters.get('x', {}, { idempotencyKey: 'k' })
  // @ts-expect-error A client has a credential.
  new Guildhall({ baseUrl: '' })
  const verdict: boolean = (await verifyRoll(await gh.company('c').as('u').diceRolls.proof('r'))).holds
  console.log(verdict, parse('2d6').addends.length)
  console.log(all, one, many, nothing, metaOf(crane)?.etag)
  const copies = new Map([[copyKey('character', crane), crane]])
  for await (const event of campaign.events()) if (applyChange(copies, event)) console.log(copies.size)
  return campaign.characters.update(crane.id, { name: 'Crane' }, { ifMatch: crane })
}

export async function receive(request: Request, other: WebhookHeaders, body: Uint8Array): Promise<FeedItem | string> {
  const event: WebhookEvent = await verifyWebhook('whsec_x', request.headers, await request.text(), { toleranceSeconds: 60 })
  const fromElsewhere: { title: string } = await verifyWebhook<{ title: string }>('whsec_x', other, body)
  const notes = new Map<string, Note>()
  if (event.type !== 'webhook.ping') applyChange(notes, event)
  if (event.type === 'webhook.ping') return event.data.webhook_id + fromElsewhere.title
  // @ts-expect-error Only a ping names its webhook.
  console.log(event.data.webhook_id)
  if (event.type === 'dice_roll.created') console.log(event.data.change === 'UPSERT', event.campaign_id)
  // @ts-expect-error No such type.
  if (event.type === 'dice_roll.eaten') throw new WebhookError('bad_signature')
  return event
}
`

const STRICT = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  erasableSyntaxOnly: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: false,
  noEmit: true,
}

test('the types compile at maximum strictness, for a page and for Node', async (t) => {
  const folder = newFolder()
  await installClient(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  writeFileSync(join(folder, 'consumer.ts'), CONSUMER)
  symlinkSync(join(repository, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  symlinkSync(join(repository, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'))
  const environments = {
    'a page with a bundler': { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler', types: [] },
    Node: { lib: ['es2022'], module: 'nodenext', moduleResolution: 'nodenext', types: ['node'] },
  }
  for (const [name, settings] of Object.entries(environments))
    await t.test(name, async () => {
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...STRICT, ...settings }, files: ['consumer.ts'] }))
      await run(TSC, ['-p', folder]).catch(({ stdout }) => assert.fail(stdout))
    })
})
