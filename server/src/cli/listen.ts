import { setTimeout as sleep } from 'node:timers/promises'
import { isId } from '../core/ids.ts'
import { newOutbound, type Outbound } from '../outbound/outbound.ts'
import { newWebhookSecret, secretText } from '../outbound/sign.ts'
import type { ChangesReply, FeedItem } from '../resources/changes/schema.ts'
import { requestOf } from '../resources/webhook-deliveries/content.ts'
import { type Command, refuseUsage } from './command.ts'
import { refuse } from './database.ts'
import { addressOf, keyOf } from './service.ts'

const WAIT_SECONDS = 20
const TIMEOUT_MS = 10_000
const RETRY_MS = 2000
/** The developer chooses where this command sends to, on their own machine. */
const ANYWHERE = ['0.0.0.0/0', '::/0']

/** Follows the changes of a company, as any client of the API does. */
async function* changesOf(url: string, key: string): AsyncGenerator<FeedItem> {
  let cursor: string | undefined
  for (;;) {
    const query = cursor ? `?wait=${WAIT_SECONDS}&after=${encodeURIComponent(cursor)}` : ''
    const response = await fetch(`${url}/changes${query}`, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (response && response.status >= 400 && response.status < 500 && response.status !== 429) {
      const { detail, why } = (await response.json()) as { detail: string; why?: string }
      refuse(`The service refuses to tell the changes: ${detail}${why ? `: ${why}.` : ''}`)
    }
    if (!response?.ok) {
      await sleep(RETRY_MS)
      continue
    }
    const page = (await response.json()) as ChangesReply
    if (cursor === undefined) console.log('Waiting for the next change …')
    cursor = page.cursor
    yield* page.items
  }
}

async function forward({ sender }: Outbound, url: string, item: FeedItem, secret: Buffer, number: number): Promise<void> {
  const now = new Date()
  const request = requestOf(item, { webhook: { id: item.company_id }, secrets: [secret], now, number, attempt: 1 })
  const { status, error, milliseconds } = await sender.post({ url, ...request, timeoutMs: TIMEOUT_MS })
  console.log(`${now.toISOString()}  ${item.type}  ${status ?? error}  ${milliseconds} ms`)
}

export const listen: Command[] = [
  {
    words: 'listen',
    args: ['COMPANY_ID'],
    flags: {
      forward: { type: 'string', value: 'URL', help: 'where to post the changes, for example http://127.0.0.1:3000' },
      service: { type: 'string', value: 'URL', help: 'the service (default: the one on this machine)' },
    },
    help: 'Follows the changes of a company, and posts each to your own machine as a webhook would, signed, once. Needs an API key in GUILDHALL_API_KEY',
    examples: ['GUILDHALL_API_KEY=glh_… guildhall listen 019a8f3e-7c1a-7d52-b6f0-2f8f4e1c9a01 --forward http://127.0.0.1:3000/webhooks'],
    run: async ({ args: [id = ''], flags, config }) => {
      const target = String(flags.forward ?? '')
      if (!/^https?:/.test(target) || !URL.canParse(target))
        refuseUsage(`--forward is '${target}'. Expected a URL such as http://127.0.0.1:3000.`)
      if (!isId(id)) refuseUsage(`COMPANY_ID is '${id}'. Expected the id of a company.`)
      const service = addressOf(config, flags.service)
      const key = keyOf(config)
      const secret = newWebhookSecret()
      console.log(`Deliveries are signed with ${secretText(secret)}`)
      const outbound = newOutbound(ANYWHERE)
      let number = 0
      for await (const item of changesOf(`${service}/api/v1/companies/${id}`, key)) await forward(outbound, target, item, secret, ++number)
    },
  },
]
