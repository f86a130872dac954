import { BlockList, isIP } from 'node:net'

/** IPv4 networks of special use: this machine, private and local networks, tests, multicast, and the address at which Azure serves its machines. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** All public IPv6 addresses are in this network. IPv4 addresses that are written as IPv6 are not. */
const PUBLIC_IPV6 = ['2000::/3']

/** Networks of special use inside of it: protocols, documentation, and tunnels that lead to IPv4 addresses. */
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function listOf(networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const closed = listOf([...CLOSED_IPV4, ...CLOSED_IPV6])
const publicIpv6 = listOf(PUBLIC_IPV6)

/** The addresses that webhooks may be sent to: public ones, and those of the networks that the operator opened. */
export class Networks {
  readonly #allowed: BlockList
  /** True if the operator opened a network. */
  readonly hasAllowed: boolean

  constructor(allowed: string[]) {
    this.#allowed = listOf(allowed)
    this.hasAllowed = allowed.length > 0
  }

  /** True for an address of a network that the operator opened. Plain HTTP is allowed there. */
  isAllowed(address: string): boolean {
    return isIP(address) !== 0 && this.#allowed.check(address, familyOf(address))
  }

  isOpen(address: string): boolean {
    const version = isIP(address)
    if (version === 0) return false
    if (this.isAllowed(address)) return true
    const family = familyOf(address)
    return !closed.check(address, family) && (version === 4 || publicIpv6.check(address, family))
  }
}
