import { run } from 'node:test'
import type { Selected } from './selection.ts'

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
}

const NO_SUBTEST = new Set(['subtestsFailed', 'testsFailed'])

const describeError = (error: unknown): string => {
  const { cause } = error as { cause?: unknown }
  const reason = cause instanceof Error || (typeof cause === 'object' && cause !== null) ? cause : error
  return (reason as Error).stack ?? (reason as Error).message ?? String(cause ?? error)
}

async function runFile({ file, names }: Selected, options: FileOptions): Promise<FileResult> {
  const { root, testTimeoutMs, fileTimeoutMs, only, skip } = options
  const result: FileResult = { file, ...(names && { names }), failures: [], passed: 0, skipped: [], seconds: 0, output: '' }
  const started = performance.now()
  const name = only ?? names
  const events = run({
    files: [`${root}${file}`],
    concurrency: 1,
    timeout: testTimeoutMs,
    // A file that hangs is killed, so that the run ends.
    signal: AbortSignal.timeout(fileTimeoutMs),
    execArgv: ['--import', new URL('./record-cpu.mjs', import.meta.url).pathname],
    ...(name && { testNamePatterns: [name] }),
    ...(skip.length > 0 && { testSkipPatterns: skip }),
  })
  for await (const { type, data } of events) {
    if (type === 'test:pass') {
      if (data.skip !== undefined) result.skipped.push(`${data.name}${typeof data.skip === 'string' ? ` (${data.skip})` : ''}`)
      else if (data.details.type !== 'suite') result.passed++
      if (data.nesting === 0) result.output += `✔ ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`
    } else if (type === 'test:fail') {
      const { error } = data.details as { error: { failureType?: string } }
      if (!NO_SUBTEST.has(error.failureType ?? '')) result.failures.push({ name: data.name, error: describeError(error) })
    } else if (
      type === 'test:diagnostic' &&
      data.file &&
      !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(data.message)
    )
      result.output += `ℹ ${data.message}\n`
    else if (type === 'test:stdout' || type === 'test:stderr') result.output += data.message
  }
  result.seconds = (performance.now() - started) / 1000
  return result
}

/** Runs test files, some at a time, each in a process of its own, and reports each result as soon as it is known. */
export async function runFiles(files: Selected[], options: FileOptions, report: (result: FileResult) => void): Promise<FileResult[]> {
  const results: FileResult[] = []
  const waiting = [...files]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runFile(next, options)
      results.push(result)
      report(result)
    }
  }
  await Promise.all(Array.from({ length: options.concurrency }, work))
  return results
}
