import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'

export function refusePort(error: NodeJS.ErrnoException, port: number, { host, metricsPort }: Config): never {
  if (error.code === 'EADDRINUSE')
    throw new Refusal(
      `Port ${port} on ${host} is taken: stop what uses it, or choose another${port === metricsPort ? ' METRICS_PORT' : ' with PORT=8081 npm start'}.`,
    )
  if (error.code === 'EACCES') throw new Refusal(`Port ${port} needs rights this user does not have: choose one above 1023 with PORT.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') throw new Refusal(`HOST ${host} is not an address of this machine.`)
  throw error
}

/** Refuses ports that cannot be listened on, without keeping them: before a step of the start that happens once. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  for (const port of [config.port, config.metricsPort]) {
    if (!port) continue
    const server = createServer().listen({ port, host: config.host, exclusive: true })
    await once(server, 'listening').catch((error) => refusePort(error, port, config))
    server.close()
    await once(server, 'close')
  }
}
