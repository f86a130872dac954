import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import type { Identity } from './identity.ts'
import { readPidFile, until } from './pid-file.ts'

/** Recovery after a crash may take minutes. */
const MAX_START_MS = 600_000
const MAX_STOP_MS = 20_000

/** One PostgreSQL process, which is restarted whenever it ends unexpectedly. */
export class Postgres {
  readonly #identity: Identity
  readonly #pgData: string
  readonly #command: [string, ...string[]]
  readonly #onEvent: (message: string) => void
  #child: ChildProcess | undefined
  #restart: Promise<void> | undefined
  #isStopping = false
  #errorOutput = ''

  constructor(identity: Identity, pgData: string, settings: Record<string, string>, onEvent: (message: string) => void) {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#identity = identity
    this.#pgData = pgData
    this.#command = [...identity.prefix, identity.binaries.postgres, '-D', pgData, ...options] as [string, ...string[]]
    this.#onEvent = onEvent
  }

  /** Retries for a while: workers of a killed server may still hold the folder, and until they end PostgreSQL refuses to start. */
  async start(): Promise<void> {
    for (let tries = 0; !(await this.#launch()); tries++) {
      if (tries === 20 || !/lock file|shared memory/.test(this.#errorOutput)) {
        const [, reason = 'it gave no reason'] = /.*FATAL: +(.*)/s.exec(this.#errorOutput) ?? /(.+)\s*$/.exec(this.#errorOutput) ?? []
        throw new Refusal(`The embedded database did not start: ${reason.split('\n')[0]}`)
      }
      await sleep(100)
    }
  }

  /** Stops the server with INT, a fast and orderly shutdown. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#restart
    const child = this.#child
    if (!child) return
    child.ref()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await Promise.race([ended, sleep(MAX_STOP_MS, undefined, { ref: false })])
  }

  /** Starts the process once. Returns true when it is ready, false if it ended before. */
  async #launch(): Promise<boolean> {
    this.#errorOutput = ''
    const [program, ...args] = this.#command
    // In a session of its own: Ctrl-C must reach only this process, which stops the database last.
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...this.#identity.spawnAs })
    let ended = false
    child.stderr.on('data', (text) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-2000)
    })
    child.once('error', (error) => {
      this.#errorOutput = error.message
      ended = true
    })
    child.once('exit', () => {
      ended = true
      this.#child = undefined
    })
    const isReady = () => {
      const file = readPidFile(this.#pgData)
      return file?.pid === child.pid && file?.ready === true
    }
    await until(() => ended || isReady(), MAX_START_MS)
    if (ended || !isReady()) {
      child.kill('SIGINT')
      return false
    }
    this.#child = child
    child.once('exit', () => {
      this.#restart = this.#restartUntilReady()
    })
    child.unref()
    ;(child.stderr as unknown as { unref(): void }).unref()
    return true
  }

  async #restartUntilReady(): Promise<void> {
    if (this.#isStopping) return
    this.#onEvent('the database ended unexpectedly and is being restarted')
    for (let wait = 50; !this.#isStopping && !(await this.#launch()); wait = Math.min(wait * 2, 2000)) await sleep(wait)
    if (this.#child) this.#onEvent('the database is back')
  }
}
