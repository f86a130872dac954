import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyRepository } from './copy.ts'
import { mutants } from './index.ts'
import { literally, type Mutant, type Test } from './mutant.ts'

// Plants one fault after the other in a copy of the code, and runs the test that must fail because of it, and nothing else.
// npm run mutants                   all faults
// npm run mutants -- --only cursor  only faults whose sentence or file contains the word

const { values: flags } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const isNamed = ({ fault, file }: Mutant) => `${fault} ${file}`.toLowerCase().includes(flags.only.toLowerCase())
const selected = mutants.filter(isNamed)
if (selected.length === 0) {
  console.error(`No fault has '${flags.only}' in its sentence or file. See faults/mutants.`)
  process.exit(2)
}
/** A test that waits in vain for what the fault keeps away takes up to a minute, and is run twice. */
const MAX_TEST_MS = { embedded: 600_000, citus: 1_200_000 }
/** A run that is told to end stops its servers within this time. */
const MAX_STOP_MS = 30_000
const MAX_SHOWN_CHARACTERS = 3000

type Verdict = 'seen' | 'SURVIVED' | 'RED FOR ANOTHER REASON' | `skipped: ${string}`
interface Outcome {
  mutant: Mutant
  verdict: Verdict
  seconds: number
}

const outcomes: Outcome[] = []
let running: ChildProcess | undefined
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true
    if (running) end(running)
  })
const copy = copyRepository()
/** The titles of some tests name the size of their samples, which is the usual one here. */
const { TEST_EVERYTHING, ...env } = process.env

/** Tells a run to stop its tests and servers, and kills it if it does not. */
function end(child: ChildProcess): void {
  child.kill('SIGTERM')
  setTimeout(() => child.kill('SIGKILL'), MAX_STOP_MS).unref()
}

/** Runs a program in the copy. Returns its exit code and what it printed. */
async function run(args: string[], maxMs: number): Promise<{ code: number | null; output: string }> {
  // In a group of its own: a Ctrl+C is passed on once.
  const child = spawn(process.execPath, args, { cwd: copy, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const timer = setTimeout(() => {
    output += `\nnot done within ${maxMs / 1000} s\n`
    end(child)
  }, maxMs)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  running = undefined
  return { code, output }
}

/** The argument that selects one test. A colon ends the path, so that of a title is any character. */
const wordFor = ([file, title]: Test) => `${file}:^${literally(title).replaceAll(':', '.')}$`

/** The tests have failed because of the fault if the one that must see it has, and not only the process that it is in. */
function judge({ seenBy: [file, title] }: Mutant, code: number | null, output: string): Verdict {
  const [, reason] = /^# SKIPPED, [^:]*: (.*)$/m.exec(output) ?? new RegExp(`^SKIPPED ${file}.*\\((.*)\\)$`, 'm').exec(output) ?? []
  if (reason) return `skipped: ${reason}`
  if (code === 0) return 'SURVIVED'
  return output.split('\n').includes(`✖ ${file}: ${title}`) ? 'seen' : 'RED FOR ANOTHER REASON'
}

async function attempt(mutant: Mutant): Promise<Verdict> {
  const { text, planted, seenBy, target } = mutant
  const path = join(copy, mutant.file)
  const source = readFileSync(path, 'utf8')
  const parts = source.split(text)
  if (parts.length !== 2) throw new Error(`${mutant.file} contains this text ${parts.length - 1} times, and not once:\n${text}`)
  writeFileSync(path, parts.join(planted))
  try {
    // The page of the console is bundled before its tests.
    const built = mutant.file.startsWith('console/') ? await run(['scripts/prepare.mjs'], MAX_TEST_MS.embedded) : { code: 0, output: '' }
    if (built.code !== 0) console.log(built.output)
    const args = ['server/test/run.ts', wordFor(seenBy), ...(target ? [`--${target}`] : [])]
    const { code, output } = await run(args, MAX_TEST_MS[target ?? 'embedded'])
    const verdict = judge(mutant, code, output)
    if (!isInterrupted && (verdict === 'SURVIVED' || verdict === 'RED FOR ANOTHER REASON')) console.log(output.slice(-MAX_SHOWN_CHARACTERS))
    return verdict
  } finally {
    writeFileSync(path, source)
  }
}

const started = performance.now()
try {
  for (const [i, mutant] of selected.entries()) {
    const since = performance.now()
    const verdict = await attempt(mutant)
    if (isInterrupted) break
    const seconds = (performance.now() - since) / 1000
    outcomes.push({ mutant, verdict, seconds })
    console.log(`${i + 1} of ${selected.length}, ${Math.round(seconds)} s, ${verdict}: ${mutant.fault}`)
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}

console.log('\nseconds  result  fault, and the test that sees it')
for (const { mutant, verdict, seconds } of outcomes)
  console.log(`${seconds.toFixed(0).padStart(7)}  ${verdict.padEnd(6)}  ${mutant.fault}\n${' '.repeat(17)}${mutant.seenBy.join(': ')}`)
const isUnseen = outcomes.some(({ verdict }) => verdict !== 'seen' && !verdict.startsWith('skipped'))
const seen = outcomes.filter(({ verdict }) => verdict === 'seen').length
console.log(`${seen} of ${selected.length} faults were seen, in ${Math.round((performance.now() - started) / 1000)} s`)
process.exit(isUnseen || isInterrupted ? 1 : 0)
