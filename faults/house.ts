import type { ChildProcess } from 'node:child_process'
import pg from 'pg'
import { freePort, ownDatabase, service, stop } from '../bench/parts.ts'
import { readPidFile } from '../server/src/db/embedded/pid-file.ts'
import { migrate } from '../server/src/db/migrate.ts'

/** One process of the service; what takes its place after a fault has the same port. */
export interface Serving {
  port: number
  child: ChildProcess
}

/** Two processes of the service on one database: what the faults are done to. */
export interface House {
  url: string
  /** Where PostgreSQL works. */
  pgData: string
  services: [Serving, Serving]
  postmaster(): number | undefined
  /** Starts the process on this place again, which was ended before. */
  restart(serving: Serving, env?: Record<string, string>): Promise<void>
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

export async function newHouse(settings: Record<string, string> = {}, parent?: string): Promise<House> {
  const { url, pgData, stop: stopDatabase } = await ownDatabase(settings, parent)
  await migrate(url)
  const begin = async (port: number, env = {}): Promise<Serving> => {
    const { child } = await service(url, 1, { PORT: String(port), LOG_LEVEL: 'warn', ...env })
    return { port, child }
  }
  const services: House['services'] = [await begin(await freePort()), await begin(await freePort())]
  return {
    url,
    pgData,
    services,
    postmaster: () => readPidFile(pgData)?.pid,
    restart: async (serving, env) => void Object.assign(serving, await begin(serving.port, env)),
    query: (text, values) => query(url, text, values),
    stop: async () => {
      await Promise.all(services.map(({ child }) => stop(child)))
      await stopDatabase()
    },
  }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

/** On a connection of its own: those that were there before a fault are gone. */
async function query<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(url).on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
