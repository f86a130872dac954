import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A delivery that a receiver got. */
interface Delivery {
  id: string
  number: number
  resource: string
}

/** An endpoint of a webhook, and how it behaves. */
export interface Receiver {
  name: string
  ordered: boolean
  url: string
  /** In the order of arrival. */
  got: Delivery[]
  /** The deliveries that were accepted before, and came again. */
  repeated: number
  /** The most requests at once. */
  most: number
  close(): Promise<void>
}

interface Behavior {
  name: string
  ordered?: boolean
  /** The time that an answer takes. */
  delayMs?: number
  /** The share of requests that are answered with 500. */
  failing?: number
}

const listen = (server: Server) =>
  new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))

export async function startReceiver({ name, ordered = false, delayMs = 0, failing = 0 }: Behavior): Promise<Receiver> {
  const accepted = new Set<string>()
  let busy = 0
  const server = createServer((request, response) => {
    busy++
    receiver.most = Math.max(receiver.most, busy)
    response.on('close', () => busy--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString())
      const id = String(request.headers['webhook-id'])
      receiver.got.push({ id, number: Number(request.headers['guildhall-number']), resource: data.id })
      if (accepted.has(id)) receiver.repeated++
      const isRefused = Math.random() < failing
      if (!isRefused) accepted.add(id)
      setTimeout(() => response.writeHead(isRefused ? 500 : 204).end(), delayMs)
    })
  })
  const receiver: Receiver = {
    name,
    ordered,
    url: `http://127.0.0.1:${await listen(server)}/`,
    got: [],
    repeated: 0,
    most: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}
