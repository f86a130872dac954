import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildApp } from './app.ts'
import type { Config } from './core/config.ts'
import { createLogger } from './core/logger.ts'
import { Refusal } from './core/refusal.ts'
import { connect, type Database } from './db/client.ts'
import { type Embedded, startEmbedded } from './db/embedded/server.ts'
import { migrate } from './db/migrate.ts'
import { createOperator, hasDevelopers, operatorKeyWorks } from './start/operator.ts'
import { welcome } from './start/welcome.ts'

const DRAINS_WITHIN = 20_000
/** A terminal sends Ctrl-C to npm and to us, and npm passes it on: within this time it is the same one. */
const SAME_SIGNAL = 1000

/** Starts the service and runs it until a signal ends it. */
export async function serveForever(config: Config): Promise<void> {
  const logger = createLogger(config)
  const embedded = config.databaseUrl ? undefined : await startEmbedded(config.dataDir, { onEvent: (message) => logger.warn(message) })
  const url = config.databaseUrl ?? (embedded as Embedded).url
  let db: Database | undefined
  try {
    await migrate(url)
    db = connect(url, {
      readers: config.readers,
      writers: config.writers,
      onLost: (error) => logger.debug({ err: error }, 'a connection was lost'),
    })
    const operatorKey = embedded && !(await hasDevelopers(db)) ? await createOperator(db, config.dataDir) : undefined
    const app = buildApp(db, config, logger)
    stopOnSignal(async () => {
      app.drain.draining = true
      // A kept-alive connection is idle once its last answer is out, and would be waited for.
      setInterval(() => app.server.closeIdleConnections(), 50).unref()
      await Promise.race([app.close(), sleep(DRAINS_WITHIN, undefined, { ref: false })])
      await db?.close()
      await embedded?.stop()
    })
    await app.listen({ host: config.host, port: config.port }).catch((error) => refusePort(error, config))
    const { port } = app.server.address() as AddressInfo
    const empty = !embedded && !(await hasDevelopers(db))
    const keyInFile = embedded !== undefined && (await operatorKeyWorks(db, config.dataDir))
    console.log(welcome(config, port, { operatorKey, empty, keyInFile }))
  } catch (error) {
    await db?.close()
    await embedded?.stop()
    throw error
  }
}

function refusePort(error: NodeJS.ErrnoException, { host, port }: Config): never {
  if (error.code === 'EADDRINUSE')
    throw new Refusal(`Port ${port} on ${host} is taken: stop what uses it, or choose another with PORT=8081 npm start.`)
  if (error.code === 'EACCES') throw new Refusal(`Port ${port} needs rights this user does not have: choose one above 1023 with PORT.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') throw new Refusal(`HOST ${host} is not an address of this machine.`)
  throw error
}

function stopOnSignal(stop: () => Promise<void>): void {
  let first = 0
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (first === 0) {
        first = Date.now()
        stop().then(
          () => process.exit(0),
          () => process.exit(1),
        )
      } else if (Date.now() - first > SAME_SIGNAL) process.exit(1)
    })
  }
}
