import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Opens a raw connection. */
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

/** Returns everything that arrives until the other side closes, or the time is over. */
export async function received(socket: Socket, ms: number): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await Promise.race([closed, sleep(ms, undefined, { ref: false })])
  socket.destroy()
  return text
}

/** Sends a text a few bytes at a time. */
export async function trickle(socket: Socket, text: string, pauseMs: number, bytes = 1): Promise<void> {
  for (let sent = 0; sent < text.length && !socket.destroyed; sent += bytes) {
    socket.write(text.slice(sent, sent + bytes), 'latin1')
    await sleep(pauseMs)
  }
}

export const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
