import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Guildhall } from '../src/index.ts'

const failed = () => Promise.reject(new TypeError('Failed to fetch'))
const messageFrom = async (baseUrl: string) => {
  const gh = new Guildhall({ baseUrl, token: 'glu_x', retries: 0, fetch: failed })
  const error: unknown = await gh.me.get().catch((caught) => caught)
  return String(error)
}

test('in a page, a failed request to another origin names CORS as the likely reason', async () => {
  const plain = 'ConnectionError: No reply: Failed to fetch'
  assert.equal(await messageFrom('https://api.example'), plain)
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent: 'Mozilla/5.0' }, configurable: true })
  Object.defineProperty(globalThis, 'location', { value: { origin: 'https://play.example', href: 'https://play.example/x/' } })
  const hint = ' (if the service runs, the likely reason is CORS: its CORS_ORIGINS does not allow https://play.example)'
  assert.equal(await messageFrom('https://api.example'), plain + hint)
  for (const own of ['https://play.example', '']) assert.equal(await messageFrom(own), plain, own)
})
