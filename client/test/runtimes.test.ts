import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { newWebhookSecret, secretText, signaturesOf } from '../../server/src/outbound/sign.ts'
import { missingBrowser, openPage, serveFolder } from '../../server/test/browser.ts'
import { newDeveloper, url } from '../../server/test/harness.ts'
import { startService } from '../../server/test/service.ts'
import { installClient, repository, run } from './install.ts'
import { SUMMARY, USER_SUMMARY, WEBHOOK_SUMMARY } from './story.js'

// Plays the same story with the built package in every runtime that is installed.

const TOOLS = join(repository, 'tools/client-runtimes/node_modules')
const BUN = join(TOOLS, `@oven/bun-linux-${process.arch === 'arm64' ? 'aarch64' : 'x64'}/bin/bun`)
const DENO = join(TOOLS, `@deno/linux-${process.arch}-glibc/deno`)
const NODE_20 = join(TOOLS, `node20-linux-${process.arch}/bin/node`)
const missing = (path: string) => !existsSync(path) && 'it is not installed. Run npm ci --prefix tools/client-runtimes'

const folder = mkdtempSync(join(tmpdir(), 'guildhall-client-'))
after(() => rmSync(folder, { recursive: true, force: true }))
// A process of its own, which gives events their order: streams need it.
const { base: baseUrl } = await startService({ DATABASE_URL: url, CORS_ORIGINS: '*' })
const apiKey = (await newDeveloper(true)).key
/** A webhook as the service sends it now, with a second signature as during a rotation. */
function newDelivery() {
  const [key, other] = [newWebhookSecret(), newWebhookSecret()]
  const body = JSON.stringify({ id: 'n1', type: 'note.created', data: { title: 'Würfel 🎲' } })
  const seconds = Math.floor(Date.now() / 1000)
  const signatures = signaturesOf([other, key], 'n1', seconds, body)
  const headers = { 'webhook-id': 'n1', 'webhook-timestamp': String(seconds), 'webhook-signature': signatures }
  return { secret: secretText(key), headers, body }
}
await installClient(folder)
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
cpSync(join(repository, 'client/test/story.js'), join(folder, 'story.js'))
writeFileSync(
  join(folder, 'main.js'),
  `import * as base from '@guildhall/client'
     import { verifyRoll } from '@guildhall/client/dice'
     import * as webhooks from '@guildhall/client/webhooks'
     import { play, playAsUser, receive } from './story.js'
     const client = { ...base, verifyRoll }
     const [baseUrl, apiKey, delivery] = globalThis.Deno ? Deno.args : process.argv.slice(2)
     const { summary, token, place } = await play(client, { baseUrl, apiKey })
     console.log(summary)
     console.log(await playAsUser(client, { baseUrl, token, place }))
     console.log(await receive(webhooks, JSON.parse(delivery)))`,
)

for (const [name, path, args] of [
  ['Node 24', process.execPath, []],
  ['Node 20', NODE_20, []],
  ['Bun', BUN, ['run']],
  ['Deno', DENO, ['run', '--allow-net', '--allow-env', '--allow-read', '--no-prompt']],
] as const) {
  test(`the client works on ${name}`, { skip: missing(path) }, async () => {
    const env = { PATH: process.env.PATH, HOME: folder, DENO_NO_UPDATE_CHECK: '1' }
    const given = [baseUrl, apiKey, JSON.stringify(newDelivery())]
    const { stdout } = await run(path, [...args, 'main.js', ...given], { cwd: folder, env, timeout: 30_000 })
    assert.deepEqual(stdout.trim().split('\n'), [SUMMARY, USER_SUMMARY, WEBHOOK_SUMMARY])
  })
}

test('the program in the README works', async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(join(repository, 'client/README.md'), 'utf8')) ?? []
  writeFileSync(join(folder, 'readme.mjs'), program)
  const env = { PATH: process.env.PATH, GUILDHALL_URL: baseUrl, GUILDHALL_API_KEY: apiKey }
  const { stdout } = await run(existsSync(NODE_20) ? NODE_20 : process.execPath, ['readme.mjs'], { cwd: folder, env, timeout: 30_000 })
  assert.deepEqual(stdout.trim().split('\n'), ['3 dice', '409 not_enough_experience', 'Mina', 'Renfield', '2'])
})

test('the client works on workerd', { skip: missing(join(TOOLS, 'miniflare/package.json')) }, async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import * as base from '@guildhall/client'
        import { verifyRoll } from '@guildhall/client/dice'
        import * as webhooks from '@guildhall/client/webhooks'
        import { play, playAsUser, receive } from './story.js'
        export default { async fetch(request) {
          const client = { ...base, verifyRoll }
          const { baseUrl, apiKey, delivery } = await request.json()
          try {
            const { summary, token, place } = await play(client, { baseUrl, apiKey })
            return Response.json([summary, await playAsUser(client, { baseUrl, token, place }), await receive(webhooks, delivery)])
          } catch (error) { return new Response(error.stack, { status: 500 }) }
        } }`,
      resolveDir: folder,
    },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const { Miniflare } = await import(pathToFileURL(join(TOOLS, 'miniflare/dist/src/index.js')).href)
  const worker = new Miniflare({ modules: true, script: outputFiles[0]?.text, compatibilityDate: '2026-07-01' })
  try {
    const reply = await worker.dispatchFetch('http://worker', {
      method: 'POST',
      body: JSON.stringify({ baseUrl, apiKey, delivery: newDelivery() }),
    })
    const text = await reply.text()
    assert.equal(reply.status, 200, text)
    assert.deepEqual(JSON.parse(text), [SUMMARY, USER_SUMMARY, WEBHOOK_SUMMARY])
  } finally {
    await worker.dispose()
  }
})

test('the client works in a page of another origin, with a user token', { skip: missingBrowser() }, async () => {
  const { play } = (await import('./story.js')) as unknown as { play: (client: object, options: object) => Promise<object> }
  const client = { ...(await import('../src/index.ts')), ...(await import('../src/dice.ts')) }
  const played = await play(client, { baseUrl, apiKey })
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Client</title>')
  const { origin } = await serveFolder(folder)
  const { page, errors } = await openPage()
  await page.goto(`${origin}/index.html`)
  const result = await page.evaluate(`(async () => {
    const client = await import('/node_modules/@guildhall/client/dist/client/src/index.js')
    const { playAsUser } = await import('/story.js')
    return playAsUser(client, ${JSON.stringify({ ...played, baseUrl })})
  })()`)
  assert.equal(result, USER_SUMMARY)
  assert.deepEqual(errors, [])
})
