import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import type { Identity } from './identity.ts'
import { readPidFile, until } from './pid-file.ts'

/** Recovery after a crash may take its time. */
const STARTS_WITHIN = 600_000
const STOPS_WITHIN = 20_000

/** One PostgreSQL process, started again whenever it ends without being told to. */
export class Postgres {
  readonly #identity: Identity
  readonly #pgData: string
  readonly #command: [string, ...string[]]
  readonly #onEvent: (message: string) => void
  #child: ChildProcess | undefined
  #revival: Promise<void> | undefined
  #stopping = false
  #complaint = ''

  constructor(identity: Identity, pgData: string, settings: Record<string, string>, onEvent: (message: string) => void) {
    const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    this.#identity = identity
    this.#pgData = pgData
    this.#command = [...identity.prefix, identity.binaries.postgres, '-D', pgData, ...options] as [string, ...string[]]
    this.#onEvent = onEvent
  }

  /** Its workers may hold the folder a little longer than the one that was killed: until then it refuses. */
  async start(): Promise<void> {
    for (let tries = 0; !(await this.#launch()); tries++) {
      if (tries === 20 || !/lock file|shared memory/.test(this.#complaint)) {
        const [, reason = 'it gave no reason'] = /.*FATAL: +(.*)/s.exec(this.#complaint) ?? /(.+)\s*$/.exec(this.#complaint) ?? []
        throw new Refusal(`The embedded database did not start: ${reason.split('\n')[0]}`)
      }
      await sleep(100)
    }
  }

  /** INT ends it at once and in order. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#revival
    const child = this.#child
    if (!child) return
    child.ref()
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    await Promise.race([gone, sleep(STOPS_WITHIN, undefined, { ref: false })])
  }

  /** One try: true once it answers, false if it ended before. */
  async #launch(): Promise<boolean> {
    this.#complaint = ''
    const [program, ...args] = this.#command
    // In a session of its own: Ctrl-C is for us, and the database is stopped last.
    const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], ...this.#identity.spawnAs })
    let ended = false
    child.stderr.on('data', (text) => {
      this.#complaint = (this.#complaint + text).slice(-2000)
    })
    child.once('error', (error) => {
      this.#complaint = error.message
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
    await until(() => ended || isReady(), STARTS_WITHIN)
    if (ended || !isReady()) {
      child.kill('SIGINT')
      return false
    }
    this.#child = child
    child.once('exit', () => {
      this.#revival = this.#revive()
    })
    child.unref()
    ;(child.stderr as unknown as { unref(): void }).unref()
    return true
  }

  async #revive(): Promise<void> {
    if (this.#stopping) return
    this.#onEvent('the database ended unexpectedly and is started again')
    for (let wait = 50; !this.#stopping && !(await this.#launch()); wait = Math.min(wait * 2, 2000)) await sleep(wait)
    if (this.#child) this.#onEvent('the database is back')
  }
}
