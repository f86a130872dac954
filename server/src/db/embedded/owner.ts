import { existsSync, lstatSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** The sign that a data folder has an owner. The kernel takes it back when the owner dies, however it dies. */
export interface Ownership {
  release(): void
}

/** A name no file has, bound to the folder itself and not to the path by which it was reached. */
function addressOf(folder: string): string {
  if (process.platform !== 'linux') return join(folder, 'owner.sock')
  const { dev, ino } = lstatSync(folder)
  return `\0guildhall-${dev}-${ino}`
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(address, () => resolve(server.unref()))
  })
}

const answers = (address: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(address, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Becomes the owner of a folder, or tells with undefined that it has one. */
export async function takeOwnership(folder: string): Promise<Ownership | undefined> {
  const address = addressOf(folder)
  for (;;) {
    try {
      const server = await listen(address)
      return { release: () => void server.close() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      if (address.startsWith('\0') || (await answers(address))) return undefined
      // A file that nobody listens to was left by a process that was killed.
      rmSync(address, { force: true })
    }
  }
}

/** Whether a folder has an owner. */
export async function isOwned(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false
  const mine = await takeOwnership(folder)
  mine?.release()
  return mine === undefined
}
