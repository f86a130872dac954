import { Networks } from './networks.ts'
import { Sender } from './post.ts'
import { newResolver } from './resolve.ts'

/** The parts of the service that make requests to others. */
export interface Outbound {
  networks: Networks
  sender: Sender
}

/** `allowed` are networks that the operator opened. Tests name servers of their own. */
export function newOutbound(allowed: string[], nameServers?: string[]): Outbound {
  const networks = new Networks(allowed)
  return { networks, sender: new Sender(networks, newResolver(nameServers)) }
}
