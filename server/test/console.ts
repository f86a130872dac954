import assert from 'node:assert/strict'
import type { FastifyInstance } from 'fastify'
import { type Answer, call } from './harness.ts'

/** The headers that a browser and the console send with every request of the console's pages. */
export const CONSOLE_HEADERS = { 'sec-fetch-site': 'same-origin', 'x-guildhall-console': '1' }

const PATH = '/api/v1/console-session'

/** Sends a request to sign in. */
export const signIn = (body: object, headers: Record<string, string> = {}, on?: FastifyInstance): Promise<Answer> =>
  call('POST', PATH, { body, headers: { ...CONSOLE_HEADERS, ...headers }, ...(on && { on }) })

/** The value of the cookie that a reply sets. */
export function secretOf({ headers, text, status }: Answer): string {
  const [, secret] =
    /^__Host-guildhall=(\w+); Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/.exec(String(headers['set-cookie'])) ?? []
  assert.ok(secret, `${status} ${text} ${headers['set-cookie']}`)
  return secret
}

/** The headers of a request with a session. */
export const withSession = (secret: string) => ({ ...CONSOLE_HEADERS, cookie: `__Host-guildhall=${secret}` })

/** Signs in as the developer of a key. Returns the secret of the session. */
export const sessionOf = async (key: string, on?: FastifyInstance) => secretOf(await signIn({ key }, {}, on))

/** Creates a sign-in link. Returns its code. */
export async function codeFor(base: string, user_id: string, key: string, body: object = {}): Promise<string> {
  const created = await call('POST', `${base}/users/${user_id}/sign-in-links`, { key, body })
  assert.equal(created.status, 201, created.text)
  return String(created.body.url).split('#code=')[1] as string
}

/** Signs in as a user. Returns the secret of the session. */
export const userSession = async (base: string, user_id: string, key: string) =>
  secretOf(await signIn({ code: await codeFor(base, user_id, key) }))
