import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Guildhall } from '@guildhall/client'
import { commandOf } from './commands.ts'
import {
  COMMAND,
  DEFERRED,
  EPHEMERAL,
  followUp,
  type Interaction,
  interactionOf,
  MESSAGE,
  messageOf,
  PING,
  PONG,
  plain,
  type Reply,
} from './discord.ts'
import { explain, Hint } from './errors.ts'
import { setting } from './settings.ts'
import { isSigned, publicKeyOf } from './signature.ts'
import { Table } from './table.ts'

const MAX_BODY_BYTES = 100_000

const publicKey = publicKeyOf(setting('DISCORD_PUBLIC_KEY'))
const guild = setting('DISCORD_GUILD')
/** Discord waits three seconds, the way there and back included. */
const deferAfterMs = Number(setting('DEFER_AFTER_MS', '1500'))
const gh = new Guildhall({
  baseUrl: setting('GUILDHALL_URL'),
  apiKey: setting('GUILDHALL_KEY'),
  // A deferred answer can wait for 15 minutes: enough to try again until the service has restarted.
  retries: Number(setting('GUILDHALL_RETRIES', '6')),
  timeoutMs: 10_000,
})
const company = gh.company(setting('GUILDHALL_COMPANY'))

/** Executes a command. An error is an answer, too, which only the person sees: it may name something that others do not see. */
async function run(interaction: Interaction): Promise<Reply> {
  try {
    const command = commandOf(interaction)
    if (!command || interaction.guild_id !== guild) throw new Hint('The bot does not know this command here.')
    return await command.run(await Table.open(company, interaction))
  } catch (error) {
    return { text: plain(explain(error)), isPrivate: true }
  }
}

/** Answers a command at once, or says that the answer will follow. */
async function answer(interaction: Interaction): Promise<object> {
  const work = run(interaction)
  const reply = await Promise.race([work, sleep(deferAfterMs, undefined, { ref: false })])
  if (reply) return { type: MESSAGE, data: messageOf(reply) }
  const isPrivate = commandOf(interaction)?.isPrivate?.(interaction) ?? false
  work.then((late) => followUp(interaction, late, isPrivate)).catch((error) => console.error(error.message))
  return { type: DEFERRED, data: isPrivate ? { flags: EPHEMERAL } : {} }
}

/** Reads a body. The rest of one that is too large is not kept. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined
}

async function respond(request: IncomingMessage): Promise<[status: number, body: object]> {
  if (request.method !== 'POST') return [405, { error: 'Discord sends interactions with POST.' }]
  const body = await bodyOf(request)
  if (!body) return [413, { error: `The body exceeds ${MAX_BODY_BYTES} bytes.` }]
  const { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp } = request.headers
  if (!isSigned(publicKey, signature, timestamp, body)) return [401, { error: 'The signature is not valid.' }]
  const interaction = interactionOf(body)
  if (!interaction) return [400, { error: 'The body is not an interaction.' }]
  if (interaction.type === PING) return [200, { type: PONG }]
  if (interaction.type !== COMMAND) return [400, { error: `The bot does not know interactions of type ${interaction.type}.` }]
  return [200, await answer(interaction)]
}

const server = createServer(async (request, response) => {
  const [status, body] = await respond(request).catch((error): [number, object] => {
    console.error(error)
    return [500, { error: 'The bot failed.' }]
  })
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

server.listen(Number(setting('PORT', '8090')), setting('HOST', '127.0.0.1'), () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(`The bot listens on http://${address.address}:${address.port}`)
})
// The process ends when the last follow-up has been sent.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close())
