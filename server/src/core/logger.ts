import { pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** JSON lines for machines, colours for a terminal. No header is logged; should one ever be, the secret ones are blanked. */
export function createLogger({ logLevel, logFormat }: Pick<Config, 'logLevel' | 'logFormat'>) {
  const options = { level: logLevel, base: null, redact: ['key', 'headers'] }
  if (logFormat === 'json') return pino(options)
  return pino(options, pretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', sync: true }))
}
