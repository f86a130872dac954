import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from '../server/src/db/embedded/pid-file.ts'
import { startEmbedded } from '../server/src/db/embedded/server.ts'

const here = (path: string) => new URL(path, import.meta.url).pathname
const started = new Set<ChildProcess>()
process.on('exit', () => started.forEach((child) => void child.kill('SIGKILL')))

/** Starts a program and waits until it says that it listens; what it prints is thrown away, as a log collector would take it. */
export async function start(args: string[], env: Record<string, string | undefined> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  started.add(child)
  child.once('exit', () => started.delete(child))
  return child
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(signal)
  await once(child, 'exit')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Waits until something answers on a port. */
export async function answers(port: number, path: string): Promise<void> {
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    await reply?.arrayBuffer()
    if (reply && reply.status < 500) return
    if (Date.now() > end) throw new Error(`nothing answers on ${port}${path}`)
  }
}

export interface TheDatabase {
  url: string
  /** Its first process, where it is ours. */
  pid: number | undefined
  stop(): Promise<void>
}

/** A real PostgreSQL of its own, or the one that was given. */
export async function database(settings: Record<string, string> = {}, url = process.env.DATABASE_URL): Promise<TheDatabase> {
  if (url) return { url, pid: undefined, stop: async () => {} }
  const { pgData, ...own } = await ownDatabase(settings)
  return { ...own, pid: readPidFile(pgData)?.pid }
}

/** A real PostgreSQL in a new folder, which goes with it. It is started again when it is killed. */
export async function ownDatabase(settings: Record<string, string> = {}, parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, 'guildhall-own-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const embedded = await startEmbedded(folder, { settings })
  const stop = async () => {
    await embedded.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return { url: embedded.url, pgData: join(realpathSync(folder), 'postgres'), stop }
}

/** The service as it runs in production, but for its limits; on a port of its own, unless one is given. */
export async function service(url: string, processes = 1, env: Record<string, string> = {}) {
  const port = Number(env.PORT) || (await freePort())
  const args = ['--max-semi-space-size=8', here('../server/bin/guildhall.mjs'), 'serve', '--processes', String(processes)]
  const child = await start(args, { DATABASE_URL: url, PORT: String(port), RATE_LIMIT: 'off', LOG_FORMAT: 'json', ...env })
  await answers(port, '/health/ready')
  return { port, pid: child.pid as number, child }
}

export async function floor(url: string) {
  const port = await freePort()
  const child = await start([here('floor.ts'), url, String(port)])
  await answers(port, '/00000000-0000-7000-8000-000000000000')
  return { port, pid: child.pid as number, child }
}
