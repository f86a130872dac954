import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type LogFn, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const FLUSHED_EVERY = 100
const ENOUGH = 4096
/** More than this is not kept for a reader who does not read. */
const MOST = 1_000_000
const WARN = 40

/**
 * Standard output, written to by many lines at once: a system call for each would be a twentieth of all the time a read takes.
 * It waits for nobody: what cannot be written now is tried again, and what nobody will read is dropped.
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
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN' && bytes.length < MOST) lines = bytes.toString()
    }
  }
  const write = (line: string) => {
    lines += line
    if (lines.length >= ENOUGH) flush()
  }
  setInterval(flush, FLUSHED_EVERY).unref()
  process.on('exit', flush)
  return { write, flush }
}

/** JSON lines for machines, colours for a terminal. No header is logged; should one ever be, the secret ones are blanked. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>) {
  const options = { level: logLevel, base: null, redact: ['key', 'headers'] }
  if (logFormat === 'json') {
    const lines = buffered()
    /** What is out of the ordinary is written at once. */
    function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
      method.apply(this, args)
      if (level >= WARN) lines.flush()
    }
    return pino({ ...options, hooks: { logMethod } }, lines)
  }
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pino(options, pretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', sync: true }))
}
