import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'
import type { ReceiverCommand } from './receivers.ts'

// A thread with receivers of webhooks, each on a port of its own. They read the whole request, and answer 204.

const numbersOf = new Map<number, number[]>()

async function open(port: number, delayMs: number): Promise<number> {
  const numbers: number[] = []
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      numbers.push(Number(request.headers['guildhall-number']))
      const answer = () => response.writeHead(204).end()
      if (delayMs > 0) setTimeout(answer, delayMs)
      else answer()
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const opened = (server.address() as AddressInfo).port
  numbersOf.set(opened, numbers)
  return opened
}

parentPort?.on('message', async (command: ReceiverCommand) => {
  if ('open' in command) parentPort?.postMessage(await open(command.open, command.delayMs))
  else if ('count' in command) parentPort?.postMessage(command.count.map((port) => numbersOf.get(port)?.length ?? 0))
  else parentPort?.postMessage(numbersOf.get(command.numbers) ?? [])
})
