import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { binariesIn } from '../src/db/embedded/binaries.ts'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '../src/db/embedded/server.ts'

// Third-party servers that the service is tested with, at the paths of their Debian packages.
const POSTGRES = '/usr/lib/postgresql/15/bin'
const PGBOUNCER = '/usr/sbin/pgbouncer'
export const REDIS = '/usr/bin/redis-server'
export const NGINX = '/usr/sbin/nginx'
/** The browser. The headless shell draws the same pages without the user interface around them, at less than half the CPU time. */
export const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file)) ?? '/usr/bin/chromium'

/** Returns the reason to skip a test if a program that it needs is not installed. */
export const missing = (...programs: string[]): string | false => {
  const absent = programs.filter((program) => !existsSync(program))
  return absent.length > 0 && `${absent.join(', ')} is not installed`
}
export const missingPooler = () => missing(join(POSTGRES, 'postgres'), PGBOUNCER)

/** The command that drops root privileges. Like PostgreSQL, pgbouncer refuses to run as root. */
export const asNobody = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : []

const launch = ([program = '', ...args]: string[]) => spawn(program, args, { stdio: 'inherit' })

/** Starts PostgreSQL 15 behind a pooler in transaction mode. `direct` is the URL without the pooler, and `pid` the process of the pooler. */
export async function startPooled(
  folder: string,
  settings: NonNullable<EmbeddedOptions['settings']>,
): Promise<Embedded & { direct: string; pid: number }> {
  const postgres = await startEmbedded(folder, { settings, binaries: binariesIn(POSTGRES) })
  const dir = join(folder, 'pooler')
  mkdirSync(dir)
  const socket = decodeURIComponent(postgres.url.split('host=')[1] as string)
  writeFileSync(
    join(dir, 'pgbouncer.ini'),
    `[databases]
* = host=${socket} user=guildhall
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = ${dir}
auth_type = any
pool_mode = transaction
max_client_conn = 2000
default_pool_size = 20
`,
  )
  const pooler = launch([...asNobody, PGBOUNCER, '-q', join(dir, 'pgbouncer.ini')])
  const exited = new Promise((resolve) => pooler.once('exit', resolve))
  process.once('exit', () => pooler.kill('SIGKILL'))
  while (!existsSync(join(dir, '.s.PGSQL.6432'))) await sleep(20)
  const stop = async () => {
    pooler.kill('SIGTERM')
    await exited
    await postgres.stop()
  }
  const url = `postgres://guildhall@/guildhall?host=${encodeURIComponent(dir)}&port=6432`
  return { url, direct: postgres.url, pid: pooler.pid as number, stop }
}
