import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A connection on which anything may be said. */
export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket.on('error', () => {}))
    })
  })
}

/** Everything that is answered until the other side closes, or the time is over. */
export async function heard(socket: Socket, ms: number): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([closed, sleep(ms, undefined, { ref: false })])
  socket.destroy()
  return text
}

/** Says something byte by byte. */
export async function trickle(socket: Socket, text: string, pause: number, bytes = 1): Promise<void> {
  for (let at = 0; at < text.length && !socket.destroyed; at += bytes) {
    socket.write(text.slice(at, at + bytes), 'latin1')
    await sleep(pause)
  }
}

export const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
