import { join } from 'node:path'
import { run } from 'node:test'
import type { Job, Selected } from './selection.ts'

/** A test that failed, or the file itself, if it ended without a result. */
export interface Failure {
  name: string
  error: string
}

/** The result of a test file. */
export interface FileResult extends Selected {
  failures: Failure[]
  passed: number
  skipped: string[]
  seconds: number
  /** The output of its tests and processes, diagnostics included. */
  output: string
}

export interface FileOptions {
  root: string
  concurrency: number
  testTimeoutMs: number
  fileTimeoutMs: number
  only?: RegExp
  skip: RegExp[]
  /** Ends the run, with all its processes. */
  interrupted: AbortSignal
}

const NO_SUBTEST = new Set(['subtestsFailed', 'testsFailed'])

const describeError = (error: unknown): string => {
  const { cause } = error as { cause?: unknown }
  const reason = cause instanceof Error || (typeof cause === 'object' && cause !== null) ? cause : error
  return (reason as Error).stack ?? (reason as Error).message ?? String(cause ?? error)
}

const TOGETHER = new URL('./together.ts', import.meta.url).pathname
/** The title of the test of together.ts. */
const LOADING = 'all files of the process are loaded'

/** Runs the files of a job in one process. A result belongs to the file whose test it is; if the process fails without one, to all of them. */
async function runJob({ files, names }: Job, options: FileOptions): Promise<FileResult[]> {
  const { root, testTimeoutMs, fileTimeoutMs, only, skip, interrupted } = options
  const paths = files.map((file) => join(root, file))
  const results = files.map(
    (file): FileResult => ({ file, ...(names && { names }), failures: [], passed: 0, skipped: [], seconds: 0, output: '' }),
  )
  const of = (path: string | undefined): FileResult => (results[paths.indexOf(path ?? '')] ?? results[0]) as FileResult
  const name = only ?? names
  const events = run({
    files: paths.length === 1 ? paths : [TOGETHER],
    ...(paths.length > 1 && { argv: paths }),
    concurrency: 1,
    timeout: testTimeoutMs,
    // A file that hangs is killed, so that the run ends.
    signal: AbortSignal.any([interrupted, AbortSignal.timeout(fileTimeoutMs)]),
    execArgv: ['--import', new URL('./record-cpu.mjs', import.meta.url).pathname],
    ...(name && { testNamePatterns: [name, new RegExp(`^${LOADING}$`)] }),
    ...(skip.length > 0 && { testSkipPatterns: skip }),
  })
  for await (const { type, data } of events) {
    if (type === 'test:pass') {
      if (data.name === LOADING) continue
      const result = of(data.file)
      if (data.skip !== undefined) result.skipped.push(`${data.name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}`)
      else if (data.details.type !== 'suite') result.passed++
      if (data.nesting === 0) {
        result.seconds += data.details.duration_ms / 1000
        result.output += `✔ ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`
      }
    } else if (type === 'test:fail') {
      const { error } = data.details as { error: { failureType?: string } }
      if (NO_SUBTEST.has(error.failureType ?? '')) continue
      const failure = { name: data.name, error: describeError(error) }
      if (data.name === TOGETHER) for (const { failures } of results) failures.push(failure)
      else of(data.file).failures.push(failure)
    } else if (
      type === 'test:diagnostic' &&
      data.file &&
      !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(data.message)
    )
      of(data.file).output += `ℹ ${data.message}\n`
    else if (type === 'test:stdout' || type === 'test:stderr') of(data.file).output += data.message
  }
  return results
}

/** Runs jobs, some at a time, and reports each result as soon as it is known. */
export async function runJobs(jobs: Job[], options: FileOptions, report: (result: FileResult) => void): Promise<FileResult[]> {
  const all: FileResult[] = []
  const waiting = [...jobs]
  const work = async () => {
    for (let next = waiting.shift(); next && !options.interrupted.aborted; next = waiting.shift()) {
      const results = await runJob(next, options)
      all.push(...results)
      for (const result of results) report(result)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  return all
}
