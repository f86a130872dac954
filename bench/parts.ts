import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPidFile } from '../server/src/db/embedded/pid-file.ts'
import { startEmbedded } from '../server/src/db/embedded/server.ts'

const absolutePath = (path: string) => new URL(path, import.meta.url).pathname
const started = new Set<ChildProcess>()
process.on('exit', () => started.forEach((child) => void child.kill('SIGKILL')))

/** Starts a program and discards its output, which in production a log collector would read. */
export async function start(args: string[], env: Record<string, string | undefined> = {}, node = process.execPath): Promise<ChildProcess> {
  const child = spawn(node, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
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

const MAX_START_MS = 30_000

/** Waits until a server answers on a port. */
export async function waitForAnswer(port: number, path: string, maxMs = MAX_START_MS): Promise<void> {
  for (const end = Date.now() + maxMs; ; await sleep(20)) {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    await reply?.arrayBuffer()
    if (reply && reply.status < 500) return
    if (Date.now() > end) throw new Error(`no answer on port ${port} ${path} within ${maxMs / 1000} s`)
  }
}

interface BenchDatabase {
  url: string
  /** The process id of the postmaster, if this process started it. */
  pid: number | undefined
  stop(): Promise<void>
}

/** Starts a PostgreSQL, or uses that of DATABASE_URL. */
export async function database(settings: Record<string, string> = {}, url = process.env.DATABASE_URL): Promise<BenchDatabase> {
  if (url) return { url, pid: undefined, stop: async () => {} }
  const { pgData, ...server } = await ownDatabase(settings)
  return { ...server, pid: readPidFile(pgData)?.pid }
}

/** Starts a PostgreSQL in a new folder, which is deleted with it. It is restarted if it is killed. */
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

/** Starts the service as in production, except for rate limits, on a free port unless PORT is given. */
export async function service(
  url: string,
  processes = 1,
  env: Record<string, string> = {},
  maxStartMs = MAX_START_MS,
  program = absolutePath('../server/bin/guildhall.mjs'),
) {
  const port = Number(env.PORT) || (await freePort())
  const args = ['--max-semi-space-size=16', program, 'serve', '--processes', String(processes)]
  const child = await start(args, { DATABASE_URL: url, PORT: String(port), RATE_LIMIT: 'off', LOG_FORMAT: 'json', ...env })
  await waitForAnswer(port, '/health/ready', maxStartMs)
  return { port, pid: child.pid as number, child }
}

export async function floor(url: string) {
  const port = await freePort()
  const child = await start([absolutePath('floor.ts'), url, String(port)])
  await waitForAnswer(port, '/00000000-0000-7000-8000-000000000000')
  return { port, pid: child.pid as number, child }
}
