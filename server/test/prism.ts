import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { missing } from './third-party.ts'

const root = new URL('../../', import.meta.url).pathname
const PRISM = `${root}tools/prism/node_modules/.bin/prism`
export const missingPrism = () => missing(PRISM) && 'Prism is not installed. Run npm ci --prefix tools/prism.'

/** The header with the port of the app. Every test file has its own app, and all share one Prism, which takes seconds to start. */
const PORT_HEADER = 'x-test-port'

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

/** Starts Prism in front of the apps of all test files. It validates requests and responses against openapi.json. */
export async function startPrism() {
  const router = createServer((request, reply) => {
    const { method, url: path, headers } = request
    const forwarded = forward({ host: '127.0.0.1', port: Number(headers[PORT_HEADER]), method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(reply)
    })
    forwarded.on('error', () => reply.destroy())
    request.pipe(forwarded)
  })
  const upstream = await listen(router)
  const url = await freeAddress()
  // Its log of up to five lines per request costs more than the request.
  const args = [PRISM, 'proxy', `${root}openapi.json`, upstream, '--errors', '--port', new URL(url).port, '--verboseLevel', 'silent']
  const prism = spawn(process.execPath, args, { stdio: 'inherit' })
  const exited = new Promise((resolve) => prism.once('exit', resolve))
  const isListening = () => fetch(url).then(Boolean, () => false)
  while (!(await isListening())) {
    assert.equal(prism.exitCode, null, 'Prism ended before it listened')
    await sleep(100)
  }
  const stop = async () => {
    prism.kill('SIGTERM')
    await exited
    router.closeAllConnections()
    router.close()
  }
  return { url, stop }
}

/** The type of problems that come from Prism instead of the service. */
const PRISM_PROBLEM = 'https://stoplight.io/prism/errors#'

/**
 * Sends a request through Prism. A request that Prism rejects is sent to the app directly, which must reject it too; otherwise openapi.json
 * forbids a valid request. A response that violates openapi.json always fails the test.
 */
export async function throughPrism(prism: string, port: number, path: string, init: RequestInit): Promise<Response> {
  const direct = () => fetch(`http://127.0.0.1:${port}${path}`, init)
  // openapi.json describes only the API, and no HEAD or OPTIONS.
  if (init.method === 'HEAD' || init.method === 'OPTIONS' || !path.startsWith('/api/v1/')) return direct()
  const reply = await fetch(prism + path, { ...init, headers: { ...init.headers, [PORT_HEADER]: String(port) } })
  if (!reply.headers.get('content-type')?.startsWith('application/problem+json')) return reply
  const text = await reply.clone().text()
  if (!text.includes(PRISM_PROBLEM)) return reply
  const sent = `${init.method} ${path} ${init.body ?? ''}`
  assert.ok(!text.includes(`${PRISM_PROBLEM}VIOLATIONS`), `the response to ${sent} violates openapi.json: ${text}`)
  const answer = await direct()
  assert.ok(answer.status >= 400, `${sent} is ${answer.status}, but openapi.json forbids it: ${text}`)
  return answer
}
