import assert from 'node:assert/strict'
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { after, test } from 'node:test'
import { anchorsOf, linksOf, looseJson, markdownFiles, readMarkdown, root, samplesOf } from './markdown.ts'
import { Comparison } from './sample-output.ts'
import { newFolder, startService } from './service.ts'

// Runs every command block of every Markdown file against a real service, and compares the output with the block below it.
// A block that cannot run is marked with a comment before it: <!-- not run: the reason -->.
// Values that differ from run to run are masked; <!-- varies: field, field --> before an output names further ones.
// UPDATE_DOCS=1 npm test -- docs writes the real output into the files.

const MAX_BLOCK_MS = 60_000
const BIN = join(root, 'server/bin/guildhall.mjs')
/** Lines about the machine, not about the service. */
const MACHINE_LINES = /disk space|Free some|rows so far/

/** A shell in a folder that looks like a clone of the repository with a running service. */
class Shell {
  readonly #bash: ChildProcessWithoutNullStreams
  readonly #folder: string
  readonly #host: string
  #printed = ''
  #blocks = 0

  constructor(folder: string, base: string) {
    this.#folder = folder
    this.#host = new URL(base).host
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'bin/guildhall'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, scripts: { guildhall: 'guildhall' } }))
    const path = `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`
    const env = { PATH: path, HOME: folder, NO_UPDATE_NOTIFIER: '1' }
    this.#bash = spawn('bash', ['--noprofile', '--norc', '-s'], { cwd: folder, env })
    this.#bash.stdout.on('data', (text) => (this.#printed += text))
    this.#bash.stdin.write('exec 2>&1\n')
    after(() => this.#bash.kill('SIGKILL'))
  }

  /** Runs a block of commands. Variables and functions stay for the next one. */
  async run(commands: string): Promise<{ code: number; output: string }> {
    const mark = `end of block ${++this.#blocks}`
    const block = commands.replaceAll('127.0.0.1:8080', this.#host)
    this.#bash.stdin.write(`{\n${block}\n} </dev/null\nprintf '\\n%s: %s\\n' '${mark}' $?\n`)
    const end = Date.now() + MAX_BLOCK_MS
    for (;;) {
      const found = new RegExp(`\n${mark}: (\\d+)\n`).exec(this.#printed)
      if (found) {
        const output = this.#printed.slice(0, found.index)
        this.#printed = this.#printed.slice(found.index + found[0].length)
        return { code: Number(found[1]), output: this.#comparable(output) }
      }
      assert.ok(Date.now() < end && this.#bash.exitCode === null, `the commands do not end:\n${commands}\n${this.#printed}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  #comparable(output: string): string {
    return output.replaceAll('\r', '').replaceAll(this.#folder, '/srv/guildhall').replaceAll(this.#host, '127.0.0.1:8080')
  }
}

const withoutMachineLines = (output: string) =>
  output
    .split('\n')
    .filter((line) => !MACHINE_LINES.test(line))
    .join('\n')

function updateSamples(file: string, updates: { start: number; end: number; text: string }[]): void {
  const updated = updates.reduceRight(
    (text, update) => text.slice(0, update.start) + update.text + text.slice(update.end),
    readMarkdown(file),
  )
  writeFileSync(join(root, file), updated)
}

for (const file of markdownFiles) {
  const samples = samplesOf(readMarkdown(file)).filter(({ notRun }) => notRun === undefined)
  if (samples.length === 0) continue
  test(`${file} shows what its commands print`, { timeout: 10 * MAX_BLOCK_MS }, async () => {
    const dataDir = newFolder()
    const service = await startService({ GUILDHALL_DATA_DIR: dataDir, RATE_LIMIT: 'on' })
    const shell = new Shell(dirname(dataDir), service.base)
    const comparison = new Comparison()
    const faults: string[] = []
    const updates: { start: number; end: number; text: string }[] = []
    for (const { commands, output } of samples) {
      const { code, output: real } = await shell.run(comparison.toReal(commands.text))
      const varies = /^varies: (.+)$/.exec(output?.comment ?? '')?.[1]?.split(', ') ?? []
      const isShown = output ? comparison.matches(withoutMachineLines(output.text), withoutMachineLines(real), varies) : real.trim() === ''
      if (code !== 0 || !isShown)
        faults.push(`${file}:${commands.line} ended with ${code}\n--- shown\n${output?.text ?? ''}\n--- printed\n${real}`)
      if (output && code === 0 && !isShown) updates.push({ ...output, text: comparison.update(output.text, real, varies) })
    }
    await service.kill('SIGTERM')
    if (process.env.UPDATE_DOCS) updateSamples(file, updates)
    assert.equal(faults.length, 0, faults.join('\n\n'))
  })
}

test('every command block is run, or says why it is not', (t) => {
  const notRun = markdownFiles.flatMap((file) =>
    samplesOf(readMarkdown(file)).flatMap(({ commands, notRun }) => (notRun ? [`${file}:${commands.line}: ${notRun}`] : [])),
  )
  t.diagnostic(`${notRun.length} command blocks are not run:`)
  for (const block of notRun) t.diagnostic(block)
  const unknown = markdownFiles.flatMap((file) =>
    samplesOf(readMarkdown(file)).flatMap(({ commands, notRun }) =>
      commands.language !== 'sh' || (commands.comment && !notRun)
        ? [`${file}:${commands.line}: ${commands.language} ${commands.comment}`]
        : [],
    ),
  )
  assert.deepEqual(unknown, [], 'commands are in sh blocks, without a comment other than <!-- not run: reason -->')
})

test('every JSON sample is the output of a command', () => {
  const loose = markdownFiles.flatMap((file) => looseJson(readMarkdown(file)).map(({ line }) => `${file}:${line}`))
  assert.deepEqual(loose, [])
})

test('every relative link leads to a file and a heading', () => {
  const broken = markdownFiles.flatMap((file) =>
    linksOf(readMarkdown(file)).filter((link) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : normalize(join(dirname(file), path))
      if (!existsSync(join(root, target))) return true
      return anchor !== undefined && !anchorsOf(readMarkdown(target)).includes(anchor)
    }),
  )
  assert.deepEqual(broken, [])
})
