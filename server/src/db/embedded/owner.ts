import { rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { MAX_SOCKET_PATH_BYTES } from './folder.ts'

const MAX_ANSWER_MS = 5000

/** The purpose of the process that owns a data folder: a service runs on and shares its server, a command ends soon. */
export type Purpose = 'service' | 'command'

/** The ownership of a data folder. The kernel ends it when the owner dies, for whatever reason. */
interface Ownership {
  release(): void
}

/** Returns the path of a socket in the folder, which works across containers that share a volume. The file outlives its owner, but then nobody answers. */
const socketIn = (folder: string) => {
  const path = join(folder, 'owner.sock')
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES ? path : undefined
}

/** Returns an abstract socket address (Linux only), which needs no file: two processes that start after a crash cannot both have it. */
function abstractAddressOf(folder: string): string | undefined {
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
    // The owner exists and is too busy to answer.
    socket.setTimeout(MAX_ANSWER_MS, () => resolve('service'))
  })

/** Returns the purpose of the owner of a folder, or undefined if it has none. */
export async function purposeOfOwner(folder: string): Promise<Purpose | undefined> {
  const [name, file] = [abstractAddressOf(folder), socketIn(folder)]
  return (name && (await ask(name))) || (file && (await ask(file))) || undefined
}

/** Becomes the owner of a folder. Returns undefined if it has another owner. */
export async function takeOwnership(folder: string, purpose: Purpose): Promise<Ownership | undefined> {
  const servers: Server[] = []
  const release = () => {
    for (const server of servers) server.close()
  }
  for (const address of [abstractAddressOf(folder), socketIn(folder)]) {
    if (!address) continue
    let server = await listen(address, purpose)
    if (!server && !address.startsWith('\0') && !(await ask(address))) {
      // Nobody answers: the file was left behind by a process that was killed.
      rmSync(address, { force: true })
      server = await listen(address, purpose)
    }
    if (!server) return void release()
    servers.push(server)
  }
  return { release }
}
