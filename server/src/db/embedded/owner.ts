import { rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { LONGEST_SOCKET_PATH } from './folder.ts'

const ANSWERS_WITHIN = 5000

/** What the owner of a data folder is doing: a service lasts and shares its server, a command is soon done. */
export type Purpose = 'service' | 'command'

/** The sign that a data folder has an owner. The kernel takes it back when the owner dies, however it dies. */
export interface Ownership {
  release(): void
}

/** A socket in the folder: it answers across containers that share a volume. It outlives its owner, but then answers nobody. */
const fileIn = (folder: string) => {
  const path = join(folder, 'owner.sock')
  return Buffer.byteLength(path) <= LONGEST_SOCKET_PATH ? path : undefined
}

/** On Linux, a name without a file: two who start at once after a crash cannot both have it. */
function nameOf(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const { dev, ino } = statSync(folder)
  return `\0guildhall-${dev}-${ino}`
}

function listen(address: string, purpose: Purpose): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(purpose))
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    server.listen(address, () => resolve(server.unref()))
  })
}

const ask = (address: string) =>
  new Promise<Purpose | undefined>((resolve) => {
    const socket = connect(address)
    socket.once('data', (word) => resolve(String(word) as Purpose))
    socket.once('error', () => resolve(undefined))
    socket.once('close', () => resolve(undefined))
    // It is there, and too busy to speak.
    socket.setTimeout(ANSWERS_WITHIN, () => resolve('service'))
  })

/** What the folder's owner is doing, if it has one. */
export async function purposeOfOwner(folder: string): Promise<Purpose | undefined> {
  const [name, file] = [nameOf(folder), fileIn(folder)]
  return (name && (await ask(name))) || (file && (await ask(file))) || undefined
}

/** Becomes the owner of a folder, or tells with undefined that it has one. */
export async function takeOwnership(folder: string, purpose: Purpose): Promise<Ownership | undefined> {
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  for (const address of [nameOf(folder), fileIn(folder)]) {
    if (!address) continue
    let server = await listen(address, purpose)
    if (!server && !address.startsWith('\0') && !(await ask(address))) {
      // A file that nobody answers behind was left by a process that was killed.
      rmSync(address, { force: true })
      server = await listen(address, purpose)
    }
    if (!server) return void release()
    servers.push(server)
  }
  return { release }
}
