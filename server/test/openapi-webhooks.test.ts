import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { startDeliverer } from '../src/deliver/deliverer.ts'
import { startSequencer } from '../src/events/runner.ts'
import { watchOf } from '../src/events/watch.ts'
import { openapi } from '../src/http/reference/openapi.ts'
import { newOutbound } from '../src/outbound/outbound.ts'
import { operations } from '../src/resources/index.ts'
import { newGameTable } from './game-table.ts'
import { call, db, stopAtEnd } from './harness.ts'
import { type Received, startReceiver } from './receiver.ts'

// The section `webhooks` of openapi.json is compared with requests that the service really sends.

interface Described {
  post: { parameters: { $ref: string }[]; requestBody: { content: Record<string, { schema: object }> } }
}

const document = openapi(operations)
const described = document.webhooks as unknown as Record<string, Described>
const parameters = document.components.parameters as Record<string, { name: string; schema: object }>
const ajv = new Ajv2020({ strict: false, coerceTypes: true })
formats.default(ajv, ['uuid', 'date-time', 'email'])
for (const format of ['int32', 'int64']) ajv.addFormat(format, true)
ajv.addSchema({ $id: 'document', components: document.components })

/** Fails unless a request has exactly the headers and the body of its description. */
function assertDescribed(name: string, { headers, body }: Received) {
  const { post } = described[name] as Described
  const named = post.parameters.map(({ $ref }) => parameters[$ref.split('/').at(-1) as string] as { name: string; schema: object })
  const sent = Object.keys(headers).filter((header) => /^(webhook|guildhall)-/.test(header))
  assert.deepEqual(sent.sort(), named.map((header) => header.name).sort())
  for (const header of named) assert.ok(ajv.validate(header.schema, headers[header.name]), header.name)
  const [[media, { schema }]] = Object.entries(post.requestBody.content) as [[string, { schema: { $ref: string } }]]
  assert.equal(headers['content-type'], media)
  assert.ok(ajv.validate({ $ref: `document${schema.$ref}` }, body), ajv.errorsText())
  const { properties } =
    (document.components.schemas as Record<string, { properties: object }>)[schema.$ref.split('/').at(-1) as string] ?? {}
  assert.deepEqual(Object.keys(body).sort(), Object.keys(properties ?? {}).sort())
}

test('openapi.json describes the requests that are sent', async () => {
  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  stopAtEnd(startSequencer(db, { advanced: (advances) => watchOf(db).advanced(advances), failed }))
  stopAtEnd(startDeliverer({ db, sender: newOutbound(['127.0.0.1']).sender, timeoutMs: 2000, pollMs: 50, failed }))
  const { base, key, player, C } = await newGameTable()
  const arrived = Promise.withResolvers<Received>()
  const { url, received } = await startReceiver((request) => {
    if (request.body.type !== 'webhook.ping') arrived.resolve(request)
    return undefined
  })
  const { body } = await call('POST', `${base}/webhooks`, { key, body: { name: 'Bot', url, types: ['dice_roll.created'] } })
  const pinged = await call('POST', `${base}/webhooks/${body.id}/ping`, { key })
  assert.equal(pinged.body.status, 204, pinged.text)
  assertDescribed('ping', received[0] as Received)
  await player.post('/dice-rolls', { notation: '2d6', campaign_id: C.split('/').at(-1) })
  assertDescribed('change', await arrived.promise)
  assert.deepEqual(failures, [])
})
