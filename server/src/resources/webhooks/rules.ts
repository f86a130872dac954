import { invalid } from '../../core/problem.ts'
import { FEED_TYPES } from '../../events/feed-types.ts'
import type { Networks } from '../../outbound/networks.ts'
import { literalIn } from '../../outbound/resolve.ts'
import { ALL_TYPES, type WebhookReplay } from './schema.ts'

/** Ports below 1024 are those of other services, such as mail. */
const isAllowedPort = (port: number) => port === 443 || port === 8443 || port > 1023

const NOT_OPEN =
  'must lead to a public address, with https. The operator of the service can open further networks with WEBHOOK_ALLOW, for example WEBHOOK_ALLOW=127.0.0.0/8 for a receiver on the same machine'

/** Returns what is wrong with the URL of a webhook; undefined if nothing is. Names are looked up when something is sent: today's answer would prove nothing. */
export function faultOfUrl(text: string, networks: Networks): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://bot.example.com/guildhall'
  const { protocol, hostname, port, username, password, hash } = new URL(text)
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://'
  if (username || password) return 'must not contain a user name or a password. Deliveries are signed instead'
  if (hash || text.includes('#')) return 'must not contain a fragment (#)'
  const literal = literalIn(hostname)
  const isOpened = literal ? networks.isAllowed(literal.address) : networks.hasAllowed
  if (protocol === 'http:' && !isOpened) return NOT_OPEN
  if (literal && !networks.isOpen(literal.address)) return NOT_OPEN
  if (/^(.+\.)?localhost\.?$/i.test(hostname) && !networks.hasAllowed) return NOT_OPEN
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  if (!isAllowedPort(number) && !(isOpened && number === 80)) return 'must have the port 443 or 8443, or one above 1023'
  return undefined
}

export function refuseUrl(url: string, networks: Networks): void {
  const message = faultOfUrl(url, networks)
  if (message) invalid([{ field: 'url', message }])
}

/** A webhook has a user exactly if it sends the view of one. */
export function refuseSight({ sight, user_id }: { sight: string; user_id: string | null }): void {
  if (sight === 'USER' && user_id === null) invalid([{ field: 'user_id', message: 'is required if sight is USER' }])
  if (sight !== 'USER' && user_id !== null) invalid([{ field: 'user_id', message: 'must be null unless sight is USER' }])
}

const isAsked = (type: string, asked: string) =>
  asked === ALL_TYPES ? !type.startsWith('webhook.') : asked.endsWith('.*') ? type.startsWith(asked.slice(0, -1)) : type === asked

/** The types of events that a webhook sends. A replay may ask for fewer of them. */
export const feedTypesOf = (types: string[], replayed: string[] | null = null): string[] =>
  FEED_TYPES.filter((type) => [types, replayed ?? types].every((all) => all.some((asked) => isAsked(type, asked))))

export function refuseReplay({ from, to }: WebhookReplay): void {
  if (to !== undefined && Date.parse(to) <= Date.parse(from)) invalid([{ field: 'to', message: 'must be after from' }])
}
