import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, request as onwards, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { missing } from './foreign.ts'

const root = new URL('../../', import.meta.url).pathname
const PRISM = `${root}tools/prism/node_modules/.bin/prism`
export const missingPrism = () => missing(PRISM) && 'it is not installed: npm ci --prefix tools/prism'

/** Which app a request is for: each test file has its own, and they share one Prism, which takes seconds to start. */
const TO = 'x-test-port'

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const freeAddress = async () => {
  const server = createServer()
  const address = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return address
}

/** Prism in front of every app: what goes through it, either way, is held against openapi.json. */
export async function startPrism() {
  const switchboard = createServer((request, reply) => {
    const { method, url: path, headers } = request
    const onward = onwards({ host: '127.0.0.1', port: Number(headers[TO]), method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(reply)
    })
    onward.on('error', () => reply.destroy())
    request.pipe(onward)
  })
  const upstream = await listen(switchboard)
  const url = await freeAddress()
  // Silent, since it has a line or five for each request, and they cost more than the request.
  const args = [PRISM, 'proxy', `${root}openapi.json`, upstream, '--errors', '--port', new URL(url).port, '--verboseLevel', 'silent']
  const prism = spawn(process.execPath, args, { stdio: 'inherit' })
  const gone = new Promise((resolve) => prism.once('exit', resolve))
  const answers = () => fetch(url).then(Boolean, () => false)
  while (!(await answers())) {
    assert.equal(prism.exitCode, null, 'Prism ended before it listened')
    await sleep(100)
  }
  const stop = async () => {
    prism.kill('SIGTERM')
    await gone
    switchboard.closeAllConnections()
    switchboard.close()
  }
  return { url, stop }
}

/** What Prism says by itself, instead of passing on what the service said. */
const OWN = 'https://stoplight.io/prism/errors#'

/**
 * Sends a request through Prism. What Prism refuses is sent to the app itself, which has to refuse it too: else the description
 * forbids what the service does. A reply that is not as described is a failure, whatever was asked.
 */
export async function throughPrism(prism: string, port: number, path: string, init: RequestInit): Promise<Response> {
  const direct = () => fetch(`http://127.0.0.1:${port}${path}`, init)
  // A description names no HEAD, and nothing but the API.
  if (init.method === 'HEAD' || init.method === 'OPTIONS' || !path.startsWith('/api/v1/')) return direct()
  const reply = await fetch(prism + path, { ...init, headers: { ...init.headers, [TO]: String(port) } })
  if (!reply.headers.get('content-type')?.startsWith('application/problem+json')) return reply
  const said = await reply.clone().text()
  if (!said.includes(OWN)) return reply
  const asked = `${init.method} ${path} ${init.body ?? ''}`
  assert.ok(!said.includes(`${OWN}VIOLATIONS`), `${asked} was answered otherwise than openapi.json says: ${said}`)
  const answer = await direct()
  assert.ok(answer.status >= 400, `${asked} is ${answer.status}, but not to openapi.json: ${said}`)
  return answer
}
