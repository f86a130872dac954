import { isIP } from 'node:net'

const MAX_BITS = { 4: 32, 6: 128 } as const

/** Returns true for an address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= MAX_BITS[version as 4 | 6])
}
