import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { root } from './markdown.ts'

const BIN = join(root, 'server/bin/guildhall.mjs')
const DEFAULT_BLOCK_MS = 60_000

interface ShellOptions {
  /** Folders with further programs. */
  programs?: string[]
  /** The maximum time that a block may take. */
  maxBlockMs?: number
}

/** A shell in a folder that looks like a clone of the repository, in which the commands of a document run. */
export class Shell {
  readonly #bash: ChildProcessWithoutNullStreams
  readonly #folder: string
  readonly #maxBlockMs: number
  /** The real addresses, by the text that documents have instead. */
  readonly #addresses = new Map<string, string>()
  #printed = ''
  #blocks = 0

  constructor(folder: string, { programs = [], maxBlockMs = DEFAULT_BLOCK_MS }: ShellOptions = {}) {
    this.#folder = folder
    this.#maxBlockMs = maxBlockMs
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/guildhall'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { guildhall: 'guildhall' } }))
    // Copies, because the build of the client follows links, and writes into its folder.
    for (const name of ['client', 'dice'])
      cpSync(join(root, name), join(folder, name), { recursive: true, filter: (file) => !/\/(dist|node_modules)$/.test(file) })
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(root, 'node_modules/.bin'), join(folder, 'node_modules/.bin'))
    const path = [join(folder, 'bin'), dirname(process.execPath), ...programs, process.env.PATH].join(':')
    const env = { PATH: path, HOME: folder, NO_UPDATE_NOTIFIER: '1' }
    this.#bash = spawn('bash', ['--noprofile', '--norc', '-s'], { cwd: folder, env })
    this.#bash.stdout.on('data', (text) => (this.#printed += text))
    this.#bash.stdin.write('exec 2>&1\n')
    after(() => this.#bash.kill('SIGKILL'))
  }

  /** Replaces an address in later commands, and replaces it back in their output. */
  setAddress(shown: string, real: string): void {
    this.#addresses.set(shown, real)
  }

  /** Runs a block of commands. Variables and functions stay for the next one. */
  async run(commands: string): Promise<{ code: number; output: string }> {
    const mark = `end of block ${++this.#blocks}`
    this.#bash.stdin.write(`{\n${this.#toReal(commands)}\n} </dev/null\nprintf '\\n%s: %s\\n' '${mark}' $?\n`)
    const end = Date.now() + this.#maxBlockMs
    for (;;) {
      const found = new RegExp(`\n${mark}: (\\d+)\n`).exec(this.#printed)
      if (found) {
        const output = this.#printed.slice(0, found.index)
        this.#printed = this.#printed.slice(found.index + found[0].length)
        return { code: Number(found[1]), output: this.#toShown(output) }
      }
      assert.ok(Date.now() < end && this.#bash.exitCode === null, `the commands do not end:\n${commands}\n${this.#printed}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  #toReal(commands: string): string {
    return [...this.#addresses].reduce((text, [shown, real]) => text.replaceAll(shown, real), commands)
  }

  #toShown(output: string): string {
    const plain = output.replaceAll('\r', '').replaceAll(this.#folder, '/srv/guildhall')
    return [...this.#addresses].reduce((text, [shown, real]) => text.replaceAll(real, shown), plain)
  }
}
