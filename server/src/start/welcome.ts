import { type Config, DEFAULT_PORT } from '../core/config.ts'
import { localUrl } from '../core/loopback.ts'
import { operatorKeyFile } from './operator.ts'

interface Start {
  /** The key of the operator, on the first start only. */
  operatorKey: string | undefined
  /** True for an external database without any developer. */
  empty: boolean
  /** True if there are companies already. */
  used: boolean
  /** True if the key of the operator can be read from its file. */
  keyInFile: boolean
  /** A link that signs in to the console once. Undefined where it would be in a log, or where others could see it. */
  consoleLink?: string | undefined
}

const shell = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

/** The pages that browsers let call the API. */
const pagesOf = ({ corsOrigins: origins }: Config) =>
  origins.length === 0
    ? 'those of this address only. CORS_ORIGINS names others'
    : `those of this address, and of ${origins.join(', ').replace('*', 'all others, with user tokens')} (CORS_ORIGINS)`

/** Returns the text that `npm start` prints: the addresses, and a first call that works when it is pasted. */
export function welcome(config: Config, port: number, { operatorKey, empty, used, keyInFile, consoleLink }: Start): string {
  const base = localUrl(config.host, port)
  const keyFile = operatorKeyFile(config.dataDir)
  const key = keyInFile ? `$(cat ${shell(keyFile)})` : '<your API key>'
  const post = (path: string, body: string) =>
    `curl -s ${base}${path} -H "X-API-KEY: ${key}" -H 'Content-Type: application/json' -d '${body}'`
  // The command makes a link to the port that it is told.
  const atPort = config.publicUrl || port === DEFAULT_PORT ? '' : `PORT=${port} `
  const lines = [
    '',
    `  Guildhall listens on ${base}`,
    `  Documentation        ${base}/docs`,
    `  API reference        ${base}/docs/reference`,
    ...(config.console ? [`  Console              ${config.publicUrl ?? base}/console`] : []),
    `  Pages that may call  ${pagesOf(config)}`,
    `  Data                 ${config.databaseUrl ? 'the PostgreSQL of DATABASE_URL' : config.dataDir}`,
  ]
  if (!config.rateLimit) lines.push('', '  RATE LIMITS ARE OFF (RATE_LIMIT=off): for benchmarks only.')
  if (operatorKey) {
    lines.push('', `  Your operator key, shown this once: ${operatorKey}`, `  It is also in ${keyFile}, which only you can read.`)
  }
  if (empty) {
    lines.push('', '  The database is empty. Create the first developer, in another terminal, with the same DATABASE_URL:', '')
    lines.push('    npm run -s guildhall -- developers create operator --global-admin --issue-key', '')
    return lines.join('\n')
  }
  if (consoleLink) lines.push('', '  Sign in to the console with this link, once, within 15 minutes:', '', `    ${consoleLink}`)
  else if (config.console) lines.push('', `  To sign in to the console, create a link: ${atPort}npm run -s guildhall -- console-link`)
  if (used) {
    lines.push('', keyInFile ? '  Paste this into another terminal:' : '  A first call, with your API key:', '')
    lines.push(`    curl -s ${base}/api/v1/companies -H "X-API-KEY: ${key}"; echo`, '')
    return lines.join('\n')
  }
  lines.push('', '  To see it in use, set up a table with a storyteller, three players and a short adventure. In another terminal:', '')
  lines.push(`    ${atPort}npm run -s guildhall -- demo`)
  lines.push('', `  To use the API, begin with a company of your own${keyInFile ? ':' : ', and your API key:'}`, '')
  lines.push(`    ${post('/api/v1/companies', '{"name":"My first company"}')}; echo`, '')
  return lines.join('\n')
}
