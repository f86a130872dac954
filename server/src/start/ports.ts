import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../core/config.ts'
import { Refusal } from '../core/refusal.ts'

export function refusePort(error: NodeJS.ErrnoException, port: number, { host, metricsPort }: Config): never {
  if (error.code === 'EADDRINUSE')
    throw new Refusal(
      `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another ${port === metricsPort ? 'METRICS_PORT' : 'port with PORT=8081 npm start'}.`,
    )
  if (error.code === 'EACCES')
    throw new Refusal(`Port ${port} needs privileges that this user does not have. Choose one above 1023 with PORT.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new Refusal(`HOST ${host} is not an address of this machine. Set HOST to one that is, such as 127.0.0.1.`)
  throw error
}

/** Refuses to start if a port is in use. The ports are released again: this runs before a step of the start that happens only once. */
export async function refuseTakenPorts(config: Config): Promise<void> {
  for (const port of [config.port, config.metricsPort]) {
    if (!port) continue
    const server = createServer().listen({ port, host: config.host, exclusive: true })
    await once(server, 'listening').catch((error) => refusePort(error, port, config))
    server.close()
    await once(server, 'close')
  }
}
