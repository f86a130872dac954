import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { call, type OutgoingRequest } from '../load.ts'
import { freePort, start, waitForAnswer } from '../parts.ts'
import type { Peer } from './peer.ts'
import type { People } from './table.ts'

const NODE = new URL(`node_modules/node-linux-${process.arch}/bin/node`, import.meta.url).pathname
const PROGRAM = new URL('node_modules/directus/cli.js', import.meta.url).pathname

/**
 * Starts Directus with its default settings for production. The table is a collection of its own, as if it had been made in Directus, which
 * therefore writes an activity and a revision for each create, as our service writes an event.
 */
export async function startDirectus(people: People): Promise<Peer> {
  const [port, token] = [await freePort(), randomUUID()]
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-directus-'))
  // Directus does not understand the URL of a socket, but it does understand its parts.
  const { host, database, user, password } = new pg.Client(people.url)
  const env = {
    NODE_ENV: 'production',
    DB_CLIENT: 'pg',
    DB_HOST: host,
    DB_PORT: '5432',
    DB_DATABASE: database,
    DB_USER: user,
    DB_PASSWORD: password ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    SECRET: randomUUID(),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: randomUUID(),
    ADMIN_TOKEN: token,
    TELEMETRY: 'false',
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'),
    EXTENSIONS_PATH: join(folder, 'extensions'),
  }
  execFileSync(NODE, [PROGRAM, 'bootstrap'], {
    env: { ...process.env, ...env },
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const child = await start([PROGRAM, 'start'], env, NODE)
  await waitForAnswer(port, '/server/ping', 60_000)
  const headers = { authorization: `Bearer ${token}` }
  await call(port, { method: 'PATCH', path: '/collections/people', body: { meta: { accountability: 'all' } }, headers })
  const withToken = (request: OutgoingRequest) => ({ ...request, headers })
  return {
    name: 'Directus',
    port,
    child,
    requests: {
      list: () =>
        withToken({
          method: 'GET',
          path: `/items/people?filter[company_id][_eq]=${people.large}&limit=10&sort=id&meta=filter_count`,
        }),
      create: (company_id) => withToken({ method: 'POST', path: '/items/people', body: { company_id, name: 'Newcomer', role: 'PLAYER' } }),
      get: () => withToken({ method: 'GET', path: `/items/people/${people.person}` }),
    },
  }
}
