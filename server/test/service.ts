import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from 'node:util'
import type { Body } from './harness.ts'

const bin = new URL('../bin/guildhall.mjs', import.meta.url).pathname
const streamingProgram = new URL('./streaming-service.ts', import.meta.url).pathname
const started = new Set<ChildProcess>()
process.on('exit', () => started.forEach((child) => void child.kill('SIGKILL')))
// The end of a run that was interrupted, or of a file that took too long.
process.once('SIGTERM', () => process.exit(1))

export interface Service {
  base: string
  pid: number
  /** Returns the text printed so far to stdout and stderr. */
  output(): string
  kill(signal: NodeJS.Signals): Promise<number | null>
}

export interface Run {
  code: number | null
  output: string
}

const cleanEnv = (env: Record<string, string>) => {
  const { DATABASE_URL, PORT, HOST, GUILDHALL_DATA_DIR, ...rest } = process.env
  return { ...rest, PORT: '0', LOG_LEVEL: 'warn', RATE_LIMIT: 'off', MAX_IN_FLIGHT: '10000', ...env }
}

/** Starts the command line, or another program, in its own process. */
export function launch(args: string[], env: Record<string, string>, cwd?: string, program = bin) {
  const child = spawn(process.execPath, [program, ...args], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'], ...(cwd && { cwd }) })
  started.add(child)
  child.once('exit', () => started.delete(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return { child, output: () => output }
}

/** Runs the command line in a process of its own, and waits until it exits. */
export async function guildhallProcess(args: string[], env: Record<string, string> = {}, cwd?: string): Promise<Run> {
  const { child, output } = launch(args, env, cwd)
  const [code] = await once(child, 'close')
  return { code, output: output() }
}

/** Commands that run until a signal ends them, and settings of the process that they start. */
const RUNNING = new Set(['serve', 'deliver', 'listen'])
let running: string | undefined

/**
 * Runs a command, one at a time, and returns what it printed. It runs in this process, because starting another one takes longer than most commands;
 * commands that run until a signal ends them have their own.
 */
export async function guildhall(args: string[], env: Record<string, string> = {}): Promise<Run> {
  if (RUNNING.has(args[0] ?? '')) return guildhallProcess(args, env)
  assert.equal(running, undefined, 'commands at the same time need processes of their own: use guildhallProcess')
  running = args.join(' ')
  const before = { env: process.env, exitCode: process.exitCode, log: console.log, error: console.error }
  let output = ''
  const print = (...values: unknown[]) => {
    output += `${format(...values)}\n`
  }
  process.env = cleanEnv(env)
  process.exitCode = undefined
  Object.assign(console, { log: print, error: print })
  try {
    const { main } = await import('../src/cli/main.ts')
    await main(args)
    return { code: Number(process.exitCode ?? 0), output }
  } finally {
    process.env = before.env
    process.exitCode = before.exitCode
    Object.assign(console, { log: before.log, error: before.error })
    running = undefined
  }
}

/** Starts the service in its own process and waits until it listens. */
export const startService = (env: Record<string, string>, ...flags: string[]) => startProgram(launch(['serve', ...flags], env))

/** Starts the service with the operations of streaming.ts. */
export const startStreamingService = (env: Record<string, string>) => startProgram(launch([], env, undefined, streamingProgram))

/** Starts another server, and waits until it says that it listens. */
export const startScript = (program: string, env: Record<string, string>) => startProgram(launch([], env, undefined, program))

async function startProgram({ child, output }: ReturnType<typeof launch>): Promise<Service> {
  const ended = once(child, 'close')
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await ended
    return child.exitCode
  }
  after(() => kill('SIGKILL'))
  for (const end = Date.now() + 60_000; ; ) {
    const base = /listens on (\S+)/.exec(output())?.[1]
    if (base) return { base, pid: child.pid as number, output, kill }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the service exited: ${output()}`)
    if (Date.now() > end) throw new Error(`the service does not listen: ${output() || 'it printed nothing'}`)
    await sleep(10)
  }
}

/** The answer to a request over the network. */
export interface Wire {
  status: number
  text: string
  body: Body
  headers: Headers
}

/** Reads the first frames of a stream, and closes it. */
async function openingOf({ body }: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (/event: ready\n.*\n\n/s.test(text)) break
  }
  return text
}

/** Sends one request over the network. */
export async function ask(
  service: Pick<Service, 'base'>,
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Wire> {
  const reply = await fetch(service.base + path, {
    method,
    headers: { ...(key && { 'x-api-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isStream = /event-stream/.test(reply.headers.get('content-type') ?? '')
  const text = await (isStream ? openingOf(reply) : reply.text())
  return { status: reply.status, text, body: text && !isStream ? JSON.parse(text) : undefined, headers: reply.headers }
}

/** Returns the path of a new data folder, which is removed at the end of the test file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-data-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'data')
}

/** Starts a service on the embedded database of a data folder. */
export const startOn = (dataDir: string) => startService({ GUILDHALL_DATA_DIR: dataDir })

/** Returns the operator key of a data folder. */
export const keyOf = (dataDir: string) => readFileSync(join(dataDir, 'operator.key'), 'utf8').trim()
