import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { newCompany, url } from '../../server/test/harness.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { ConnectionError, Guildhall, metaOf, SERVICE_VERSION } from '../src/index.ts'
import { verifyWebhook, type WebhookPing } from '../src/webhooks.ts'

const env = { DATABASE_URL: url, WEBHOOK_ALLOW: '127.0.0.1' }
const [service, other] = (await Promise.all([startService(env), startService(env)])) as [Service, Service]

type Relay = (client: Socket, service: Socket) => void

const passOn: Relay = (client, service) => service.pipe(client)
/** Cuts the connection of the client when the service answers: the request was executed, and its reply is lost. */
const loseReply: Relay = (client, service) =>
  service.once('data', () => {
    client.destroy()
    service.destroy()
  })

/** Starts a proxy that treats each connection as the next step says. */
async function proxyTo(target: string, steps: Relay[]) {
  const { hostname, port } = new URL(target)
  const server = createServer((client) => {
    const service = connect(Number(port), hostname)
    for (const socket of [client, service]) socket.on('error', () => {})
    client.pipe(service)
    const relay = steps.length > 1 ? steps.shift() : steps[0]
    relay?.(client, service)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a write whose reply is lost happens once, and the repeated call gets the reply of the first', async () => {
  const { key, company_id } = await newCompany()
  const direct = new Guildhall({ apiKey: key, baseUrl: service.base }).company(company_id)
  const baseUrl = await proxyTo(service.base, [loseReply, loseReply, passOn])
  const user = await new Guildhall({ apiKey: key, baseUrl }).company(company_id).users.create({ name: 'Mina', role: 'PLAYER' })
  assert.deepEqual([metaOf(user)?.status, metaOf(user)?.replayed], [201, true])
  assert.equal(metaOf(user)?.headers.get('guildhall-version'), SERVICE_VERSION)
  assert.deepEqual(
    (await direct.users.list()).items.map(({ id }) => id),
    [user.id],
  )
})

test('pings and changes that a service sends are verified, with the old and the new secret during a rotation', async () => {
  const { key, company_id } = await newCompany()
  const company = new Guildhall({ apiKey: key, baseUrl: service.base }).company(company_id)
  const arrived: (() => void)[] = []
  const receiver = await startReceiver(() => void arrived.shift()?.())
  const next = () => new Promise<void>((resolve) => arrived.push(resolve))
  const { id, secret } = await company.webhooks.create({ name: 'Bot', url: receiver.url, types: ['user.created'], sight: 'ALL' })

  assert.equal((await company.webhooks.ping(id)).status, 204)
  const [sent = assert.fail()] = receiver.received
  const ping = await verifyWebhook(secret, sent.headers, sent.text)
  assert.ok(ping.type === 'webhook.ping')
  const expected: WebhookPing = { ...ping, company_id, data: { webhook_id: id } }
  assert.deepEqual([Object.keys(ping), ping], [['id', 'type', 'timestamp', 'company_id', 'data'], expected])

  const { secret: newer } = await company.webhooks.rotate(id, {})
  const delivered = next()
  const user = await company.users.create({ name: 'Mina', role: 'PLAYER' })
  await delivered
  const { headers, text } = receiver.received[1] ?? assert.fail()
  for (const given of [secret, newer]) {
    const event = await verifyWebhook(given, headers, text)
    assert.ok(event.type === 'user.created')
    assert.deepEqual([event.data.id, event.data.resource?.name], [user.id, 'Mina'])
  }
})

test('a call survives a service that is killed, if another process has its place', async () => {
  const { key, company_id } = await newCompany()
  const gone = await proxyTo(other.base, [loseReply])
  const addresses = [gone, other.base, service.base]
  const used: string[] = []
  // Stands for a load balancer: each attempt goes to the next address.
  const balanced = async (input: string | URL | Request, init?: RequestInit) => {
    const address = addresses[used.length] as string
    used.push(address)
    if (used.length === 2) await other.kill('SIGKILL')
    return fetch(String(input).replace('http://balancer', address), init)
  }
  const gh = new Guildhall({ apiKey: key, baseUrl: 'http://balancer', fetch: balanced as typeof fetch })
  const user = await gh.company(company_id).users.create({ name: 'Mina', role: 'PLAYER' })
  assert.equal(metaOf(user)?.replayed, true)
  assert.deepEqual(used, addresses)
  await assert.rejects(new Guildhall({ apiKey: key, baseUrl: other.base, retries: 1 }).me.get(), ConnectionError)
})
