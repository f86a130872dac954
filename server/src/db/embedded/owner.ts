import { rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** The sign that a data folder has an owner. The kernel takes it back when the owner dies, however it dies. */
export interface Ownership {
  release(): void
}

/** A name no file has, bound to the folder itself and not to the path by which it was reached. */
function addressOf(folder: string): string {
  if (process.platform !== 'linux') return join(folder, 'owner.sock')
  const { dev, ino } = statSync(folder)
  return `\0guildhall-${dev}-${ino}`
}

/** What the owner is doing: a service lasts and shares its server, a command is soon done. */
export type Purpose = 'service' | 'command'

function listen(address: string, purpose: Purpose): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(purpose))
    server.once('error', reject)
    server.listen(address, () => resolve(server.unref()))
  })
}

const ask = (address: string) =>
  new Promise<Purpose | undefined>((resolve) => {
    const socket = connect(address)
    socket.once('data', (word) => resolve(String(word) as Purpose))
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => resolve(undefined))
  })

/** What the folder's owner is doing, if it has one. */
export const purposeOfOwner = (folder: string) => ask(addressOf(folder))

/** Becomes the owner of a folder, or tells with undefined that it has one. */
export async function takeOwnership(folder: string, purpose: Purpose): Promise<Ownership | undefined> {
  const address = addressOf(folder)
  for (;;) {
    try {
      const server = await listen(address, purpose)
      return { release: () => void server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (address.startsWith('\0') || (await ask(address))) return undefined
      // A file that nobody listens to was left by a process that was killed.
      rmSync(address, { force: true })
    }
  }
}
