import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import type { Networks } from './networks.ts'

/** The reasons for which a request was not made, got no answer, or was not accepted. One word stands for every closed address: nobody learns anything about our network. */
export const SEND_ERRORS = [
  'dns',
  'address_not_allowed',
  'connect',
  'tls',
  'timeout',
  'too_large',
  'protocol',
  'status',
  'user_archived',
] as const
export type SendError = (typeof SEND_ERRORS)[number]

export class NotSent extends Error {
  readonly code: SendError

  constructor(code: SendError) {
    super(code)
    this.code = code
  }
}

export interface Address {
  address: string
  family: 4 | 6
}

const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2

/** Asks the name servers itself: `dns.lookup` would take one of four threads, and four slow names would hold up everything else in the process. */
export const newResolver = (servers?: string[]): dns.Resolver => {
  const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  if (servers) resolver.setServers(servers)
  return resolver
}

/** The address in a host of a URL; undefined for a name. URLs have all notations of IPv4 addresses in one form already. */
export function literalIn(hostname: string): Address | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, '$1')
  const version = isIP(address)
  return version === 0 ? undefined : { address, family: version as 4 | 6 }
}

const LOCALHOST: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

async function addressesOf(hostname: string, resolver: dns.Resolver): Promise<Address[]> {
  const literal = literalIn(hostname)
  if (literal) return [literal]
  if (/^(.+\.)?localhost\.?$/i.test(hostname)) return LOCALHOST
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 as const })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 as const })) : []),
  ]
  if (found.length === 0) throw new NotSent('dns')
  return found
}

/**
 * Returns the addresses of a host. All of them must be open: a name with one public and one private address is refused. The connection is made to one of these
 * and never to those of a second answer, which could differ.
 */
export async function openAddressesOf(hostname: string, networks: Networks, resolver: dns.Resolver): Promise<Address[]> {
  const found = await addressesOf(hostname, resolver)
  // The name of this machine has two addresses, of which an operator may have opened one.
  const candidates = found === LOCALHOST ? found.filter(({ address }) => networks.isOpen(address)) : found
  if (candidates.length === 0 || !candidates.every(({ address }) => networks.isOpen(address))) throw new NotSent('address_not_allowed')
  return candidates
}
