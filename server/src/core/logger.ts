import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type LogFn, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const FLUSH_INTERVAL_MS = 100
const MAX_BUFFERED_CHARACTERS = 4096
/** If the reader of standard output does not read, lines beyond this are dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000
const LEVEL_WARN = 40

/**
 * Writes lines to standard output in batches: a system call for each line would take a twentieth of the time of a read. Writing never
 * blocks: bytes that cannot be written now are kept for the next flush, up to a limit.
 */
function buffered(fd = 1) {
  let lines = ''
  const flush = () => {
    if (lines === '') return
    const bytes = Buffer.from(lines)
    lines = ''
    try {
      const written = writeSync(fd, bytes)
      if (written < bytes.length) lines = bytes.toString('utf8', written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && bytes.length < MAX_UNWRITTEN_BYTES) lines = bytes.toString()
    }
  }
  const write = (line: string) => {
    lines += line
    if (lines.length >= MAX_BUFFERED_CHARACTERS) flush()
  }
  setInterval(flush, FLUSH_INTERVAL_MS).unref()
  process.on('exit', flush)
  return { write, flush }
}

/** Logs JSON lines, or colored text on a terminal. Headers are never logged; if one ever is, the redaction below hides it. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>) {
  const options = { level: logLevel, base: null, redact: ['key', 'headers'] }
  if (logFormat === 'json') {
    const lines = buffered()
    /** Warnings and errors are written at once. */
    function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
      method.apply(this, args)
      if (level >= LEVEL_WARN) lines.flush()
    }
    return pino({ ...options, hooks: { logMethod } }, lines)
  }
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pino(options, pretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', sync: true }))
}
