import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'

/** An answer: addresses, and names that stand for others. */
export type Answers = (string | { alias: string })[]

const TYPES = { 1: 4, 28: 6 } as Record<number, number>

const encodeName = (name: string) =>
  Buffer.concat([...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])])

function encodeAddress(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  // Browsers and URLs write IPv6 addresses in groups of hexadecimal digits.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string | undefined) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : [])
  const [first, last] = [groups(head), groups(tail)]
  const bytes = Buffer.alloc(16)
  for (const [i, group] of [...first, ...Array(8 - first.length - last.length).fill(0), ...last].entries())
    bytes.writeUInt16BE(group, i * 2)
  return bytes
}

function encodeRecord(name: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([name, head, data])
}

/** Starts a name server on this machine. `answer` is asked for every question, so that it can change its mind. */
export async function startNameServer(answer: (name: string, asked: number) => Answers) {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (message, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = message[at] as number; length > 0; length = message[at] as number) {
      labels.push(message.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const type = message.readUInt16BE(at + 1)
    const name = labels.join('.').toLowerCase()
    const question = message.subarray(12, at + 5)
    const count = (asked.get(`${name} ${type}`) ?? 0) + 1
    asked.set(`${name} ${type}`, count)
    let owner = encodeName(name)
    const records: Buffer[] = []
    for (const item of answer(name, count)) {
      if (typeof item === 'object') {
        records.push(encodeRecord(owner, 5, encodeName(item.alias)))
        owner = encodeName(item.alias)
      } else if (isIP(item) === TYPES[type]) records.push(encodeRecord(owner, type, encodeAddress(item)))
    }
    const head = Buffer.alloc(12)
    message.copy(head, 0, 0, 2)
    head.writeUInt16BE(records.length ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    socket.send(Buffer.concat([head, question, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { server: `127.0.0.1:${socket.address().port}`, stop: () => socket.close() }
}
