import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createSecureContext, getCACertificates, type SecureContext, setDefaultCACertificates } from 'node:tls'
import { CLOSED } from '../../test/closed-addresses.ts'
import { type Answers, startNameServer } from '../../test/name-server.ts'
import { Networks } from './networks.ts'
import { Sender } from './post.ts'
import { newResolver } from './resolve.ts'

const names = new Map<string, (asked: number) => Answers>()
const nameServer = await startNameServer((name, asked) => names.get(name)?.(asked) ?? [])
after(() => nameServer.stop())

function senderFor(allowed: string[] = []): Sender {
  const sender = new Sender(new Networks(allowed), newResolver([nameServer.server]))
  after(() => sender.close())
  return sender
}

const post = (sender: Sender, url: string, timeoutMs = 5000) => sender.post({ url, headers: { 'x-test': '1' }, body: '{}', timeoutMs })

async function serve(handler: RequestListener, host: string): Promise<{ server: Server; port: number; connections: () => number }> {
  const server = createServer(handler)
  let count = 0
  server.on('connection', () => count++)
  server.listen(0, host)
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port, connections: () => count }
}

/** A server of this machine that nothing may reach. It listens on all addresses. */
const canary = await serve((_, response) => void response.end('inside'), '::')

/** The notations of this machine that URLs accept. */
const NOTATIONS =
  '127.0.0.1 127.1 2130706433 0177.0.0.1 0x7f.1 0x7f000001 017700000001 １２７.0.0.1 0 0.0.0.0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] localhost a.localhost LOCALHOST.'

test('no closed address is connected to: as a literal, by name, by alias, in a mixed answer, or in a second answer', async () => {
  const sender = senderFor()
  const methods: Record<string, (address: string, i: number) => string> = {
    literal: (address) => (address.includes(':') ? `[${address}]` : address),
    name: (address, i) => define(`name${i}.example`, () => [address]),
    alias: (address, i) => define(`alias${i}.example`, () => [{ alias: `inside${i}.example` }, address]),
    mixed: (address, i) => define(`mixed${i}.example`, () => ['93.184.216.34', '2606:4700::1111', address]),
    mixedFirst: (address, i) => define(`first${i}.example`, () => [address, '93.184.216.34']),
  }
  const define = (name: string, answer: (asked: number) => Answers) => {
    names.set(name, answer)
    return name
  }
  assert.ok(CLOSED.length >= 60 && new Set(CLOSED).size === CLOSED.length, `${CLOSED.length} addresses`)
  let count = 0
  for (const [method, hostOf] of Object.entries(methods))
    for (const [i, address] of CLOSED.entries())
      for (const scheme of ['http', 'https']) {
        const { error, status } = await post(sender, `${scheme}://${hostOf(address, i)}:${canary.port}/`)
        assert.deepEqual([error, status], ['address_not_allowed', null], `${address} as ${method}, ${scheme}`)
        count++
      }
  assert.equal(count, CLOSED.length * 10)
  for (const host of NOTATIONS.split(' ')) {
    const { error } = await post(sender, `https://${host}:${canary.port}/`)
    assert.equal(error, 'address_not_allowed', host)
  }
  assert.equal(canary.connections(), 0)
})

test('a name that changes between two answers is connected to as it was checked', async () => {
  const inside = await serve((_, response) => void response.end('second'), '127.0.0.3')
  names.set('rebinding.example', (asked) => [asked === 1 ? '127.0.0.2' : '127.0.0.3'])
  const open = createServer((request, response) => response.end(`${request.headers.host}`))
  open.listen(inside.port, '127.0.0.2')
  await once(open, 'listening')
  after(() => open.close())
  const { status, body } = await post(senderFor(['127.0.0.2']), `http://rebinding.example:${inside.port}/`)
  assert.deepEqual([status, body], [200, `rebinding.example:${inside.port}`])
  const second = await post(senderFor(['127.0.0.2']), `http://rebinding.example:${inside.port}/`)
  assert.equal(second.error, 'address_not_allowed')
  assert.equal(inside.connections(), 0)
})

test('no closed address is connected to because a name changes, or because of a redirect', async () => {
  const hosts: (string | undefined)[] = []
  const open = await serve((request, response) => {
    hosts.push(request.headers.host)
    const to = request.url?.startsWith('/to/') ? decodeURIComponent(request.url.slice('/to/'.length)) : undefined
    response.writeHead(to ? 307 : 204, to ? { location: to } : {}).end()
  }, '127.0.0.2')
  const sender = senderFor(['127.0.0.2'])
  // The canary is on the port of the open server, too, on every other address of this machine.
  const before = canary.connections()
  for (const [i, address] of CLOSED.entries()) {
    const name = `changes${i}.example`
    // Each question but the first one, for either kind of address, is answered with the closed one.
    names.set(name, (asked) => (asked === 1 ? ['127.0.0.2'] : [address]))
    assert.equal((await post(sender, `http://${name}:${open.port}/`)).status, 204, address)
    assert.equal(hosts.at(-1), `${name}:${open.port}`)
    assert.equal((await post(sender, `http://${name}:${open.port}/`)).error, 'address_not_allowed', address)
    const literal = address.includes(':') ? `[${address}]` : address
    for (const scheme of ['http', 'https']) {
      const target = `${scheme}://${literal}:${canary.port}/`
      const { status, headers } = await post(sender, `http://127.0.0.2:${open.port}/to/${encodeURIComponent(target)}`)
      assert.deepEqual([status, headers?.location], [307, target])
    }
  }
  assert.equal(hosts.length, 3 * CLOSED.length)
  assert.equal(canary.connections(), before)
})

/** Makes a certificate for a name, which signs itself. */
function certificateFor(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const names = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
    const { status, stderr } = spawnSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', cert], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const skip = spawnSync('openssl', ['version']).status !== 0 && 'openssl is not on this machine'

test('a TLS connection asks for the name of the endpoint, and its certificate must be valid for that name', { skip }, async () => {
  const [ours, others] = [certificateFor('bot.example'), certificateFor('other.example')]
  const asked: string[] = []
  const hosts: (string | undefined)[] = []
  let presented = ours
  const SNICallback = (name: string, done: (error: null, context: SecureContext) => void) => {
    asked.push(name)
    done(null, createSecureContext(presented))
  }
  const secure = createSecureServer({ SNICallback }, (request, response) => {
    hosts.push(request.headers.host)
    response.end()
  })
  secure.listen(0, '127.0.0.2')
  await once(secure, 'listening')
  after(() => secure.close())
  const { port } = secure.address() as AddressInfo
  names.set('bot.example', () => ['127.0.0.2'])
  const send = () => post(senderFor(['127.0.0.2']), `https://bot.example:${port}/`)
  assert.equal((await send()).error, 'tls', 'nobody vouches for it')
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, ours.cert, others.cert])
  after(() => setDefaultCACertificates(trusted))
  assert.equal((await send()).status, 200)
  presented = others
  assert.equal((await send()).error, 'tls', 'it is that of another name')
  assert.deepEqual([asked, hosts], [Array(3).fill('bot.example'), [`bot.example:${port}`]])
})

test('redirects are not followed', async () => {
  const statuses = [301, 302, 303, 307, 308]
  const target = `http://127.0.0.1:${canary.port}/`
  const redirecting = await serve(
    (request, response) => void response.writeHead(Number(request.url?.slice(1)), { location: target }).end(),
    '127.0.0.2',
  )
  const before = canary.connections()
  for (const status of statuses) {
    const exchange = await post(senderFor(['127.0.0.2']), `http://127.0.0.2:${redirecting.port}/${status}`)
    assert.deepEqual([exchange.status, exchange.headers?.location, exchange.error], [status, target, null])
  }
  assert.equal(canary.connections(), before)
})

test('plain HTTP is for networks that the operator opened', async () => {
  names.set('public.example', () => ['93.184.216.34'])
  assert.equal((await post(senderFor(['127.0.0.0/8']), 'http://public.example/')).error, 'address_not_allowed')
  assert.equal((await post(senderFor(['127.0.0.0/8']), `http://localhost:${canary.port}/`)).status, 200)
})

test('a response is read within one time and up to a size, and its beginning is kept', async () => {
  const endpoint = await serve((request, response) => {
    if (request.url === '/slow-body') {
      response.write('a')
      const timer = setInterval(() => response.write('a'), 50)
      response.on('close', () => clearInterval(timer))
    } else if (request.url === '/large') {
      const more = () => {
        const isFull = !response.write('é'.repeat(10_000))
        if (!response.destroyed) isFull ? response.once('drain', more) : setImmediate(more)
      }
      more()
    } else if (request.url === '/nul') response.end('a\0b')
    else if (request.url === '/headers') response.writeHead(200, { 'x-large': 'x'.repeat(20_000) }).end()
    else if (request.url === '/zip') response.end(String(request.headers['accept-encoding']))
    else if (request.url !== '/silent') response.writeHead(204).end()
  }, '127.0.0.2')
  const sender = senderFor(['127.0.0.2'])
  const at = (path: string, timeoutMs?: number) => post(sender, `http://127.0.0.2:${endpoint.port}${path}`, timeoutMs)
  for (const path of ['/silent', '/slow-body']) {
    const { error, milliseconds } = await at(path, 300)
    assert.equal(error, 'timeout', path)
    assert.ok(milliseconds >= 290, path)
  }
  const large = await at('/large')
  assert.deepEqual([large.status, large.body], [200, 'é'.repeat(2048)])
  assert.equal((await at('/nul')).body, 'a\uFFFDb')
  assert.equal((await at('/headers')).error, 'too_large')
  assert.equal((await at('/zip')).body, 'identity')
  assert.deepEqual([(await at('/')).status, (await at('/')).body], [204, ''])
})

test('each way to fail has its code', async () => {
  const speaking = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  const closing = createTcpServer((socket) => socket.destroy())
  const upgrading = createTcpServer((socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'))
  for (const server of [speaking, closing, upgrading]) {
    server.listen(0, '127.0.0.2')
    await once(server, 'listening')
    after(() => server.close())
  }
  const sender = senderFor(['127.0.0.2'])
  const portOf = (server: typeof speaking) => (server.address() as AddressInfo).port
  const free = await serve(() => {}, '127.0.0.2')
  free.server.close()
  for (const [url, error] of [
    ['https://nothing.example/', 'dns'],
    [`http://127.0.0.2:${free.port}/`, 'connect'],
    [`http://127.0.0.2:${portOf(closing)}/`, 'connect'],
    [`http://127.0.0.2:${portOf(speaking)}/`, 'protocol'],
    [`http://127.0.0.2:${portOf(upgrading)}/`, 'protocol'],
    [`https://127.0.0.2:${portOf(speaking)}/`, 'tls'],
  ] as const)
    assert.equal((await post(sender, url)).error, error, url)
})
