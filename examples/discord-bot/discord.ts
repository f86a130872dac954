import { setTimeout as sleep } from 'node:timers/promises'
import { discordApi } from './settings.ts'

/** The parts of an interaction that the bot reads: https://discord.com/developers/docs/interactions/receiving-and-responding */
export interface Interaction {
  id: string
  application_id: string
  type: number
  token: string
  guild_id?: string
  channel_id?: string
  channel?: { type: number; parent_id?: string | null }
  member?: { nick?: string | null; user: { id: string; username: string; global_name?: string | null } }
  data?: { name: string; options?: { name: string; value: string | number }[] }
}

/** Parses a body. Returns undefined if it is not a JSON object. */
export function interactionOf(body: Buffer): Interaction | undefined {
  try {
    const parsed = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Returns an option of the command. Discord has checked that it has the registered type. */
export const optionOf = <T extends string | number>({ data }: Interaction, name: string): T | undefined =>
  data?.options?.find((option) => option.name === name)?.value as T | undefined

/**
 * Escapes a text that somebody wrote, so that Discord shows it as written. Otherwise a name such as `[click](https://evil.example)` would be a link with a
 * false label in a message of the bot. The `text_markdown` of a roll is escaped already.
 */
export const plain = (text: string): string =>
  text
    .replace(/^[ \t]+/gm, '')
    .replace(/[\\`*_~|<>[\]#:&]/g, '\\$&')
    // An invisible character, because a mention notifies people even behind a backslash.
    .replace(/@/g, '@\u200b')
    .replace(/^[-+=]/gm, '\\$&')
    .replace(/^(\d+)([.)])/gm, '$1\\$2')

/** An answer in Markdown. A private one is shown only to the person who gave the command. */
export interface Reply {
  text: string
  isPrivate: boolean
}

export const PING = 1
export const COMMAND = 2
export const PONG = 1
export const MESSAGE = 4
export const DEFERRED = 5
export const EPHEMERAL = 64

const MAX_LENGTH = 2000
const MAX_ATTEMPTS = 4
const PAUSE_MS = 500

/** Names and comments of players are in most texts, and must not notify anybody: `@everyone` stays a text. */
export const messageOf = ({ text, isPrivate }: Reply): object => ({
  content: text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text,
  allowed_mentions: { parse: [] },
  ...(isPrivate && { flags: EPHEMERAL }),
})

/** Replaces the "is thinking…" of a deferred answer. Whether that is private was decided then, so a secret goes into a message of its own. */
export async function followUp({ application_id, token }: Interaction, reply: Reply, deferredPrivate: boolean): Promise<void> {
  const webhook = `${discordApi}/webhooks/${application_id}/${token}`
  const isSecret = reply.isPrivate && !deferredPrivate
  await send('PATCH', `${webhook}/messages/@original`, isSecret ? { text: 'The answer is for your eyes only.', isPrivate: false } : reply)
  if (isSecret) await send('POST', webhook, reply)
}

async function send(method: string, url: string, reply: Reply): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(messageOf(reply)),
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    if (response?.ok) return
    const status = response?.status ?? 599
    // 404: Discord has not read the deferred answer yet. The address contains a token, and so is not part of the message.
    if (attempt === MAX_ATTEMPTS || (status < 500 && ![404, 429].includes(status)))
      throw new Error(`Discord answers a follow-up with ${status}.`)
    await sleep(Number(response?.headers.get('retry-after') ?? 0) * 1000 + PAUSE_MS * attempt)
  }
}
