import { createRequire } from 'node:module'
import { type LogFn, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

const FLUSHED_EVERY = 100
const WARN = 40

/** JSON lines for machines, colours for a terminal. No header is logged; should one ever be, the secret ones are blanked. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>) {
  const options = { level: logLevel, base: null, redact: ['key', 'headers'] }
  if (logFormat === 'json') {
    // A system call for each line would be a twentieth of all the time a read takes.
    const lines = pino.destination({ sync: true, minLength: 4096 })
    setInterval(() => lines.flushSync(), FLUSHED_EVERY).unref()
    process.on('exit', () => lines.flushSync())
    return pino({ ...options, hooks: { logMethod } }, lines)

    /** What is out of the ordinary is written at once. */
    function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
      method.apply(this, args)
      if (level >= WARN) lines.flushSync()
    }
  }
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty')
  return pino(options, pretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', sync: true }))
}
