import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'
import { localUrl } from '../core/loopback.ts'

/** The addresses of the service, for links that are given to people. */
export interface Site {
  /** The origin at which people reach the service. Null if the operator did not set it: links then work on the machine of the service only. */
  publicUrl: string | null
  /** The address of a path of the service. */
  linkTo(path: string): string
}

export function siteOf(app: FastifyInstance, { publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): Site {
  // The port is known when the service listens: PORT=0 lets the system choose it.
  const local = () => localUrl(host, (app.server.address() as AddressInfo | null)?.port ?? port)
  return { publicUrl: publicUrl ?? null, linkTo: (path) => `${publicUrl ?? local()}${path}` }
}
