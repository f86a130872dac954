import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync, sign } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { installClient, repository, TSC } from '../../client/test/install.ts'
import type { DiceRoll } from '../src/resources/dice-rolls/schema.ts'
import type { User } from '../src/resources/users/schema.ts'
import { waitFor } from './browser.ts'
import { newGameTable } from './game-table.ts'
import { call, pooler, url } from './harness.ts'
import { discordMarks, rendered, withoutGuards } from './rendered.ts'
import { startScript, startService } from './service.ts'

// Plays the example with signed interactions: the bot as its own process, in a copy of its folder, with the package of the client installed.

const run = promisify(execFile)
const env = { DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none' }
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const DISCORD_PUBLIC_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x as string, 'base64url').toString('hex')
const GUILD = '9100'
const EPHEMERAL = 64

/** An answer of the bot, or a message that it sends later. */
interface Message {
  type?: number
  data?: { content?: string; flags?: number; allowed_mentions?: object }
}
interface Sent {
  method: string | undefined
  path: string | undefined
  authorization: string | undefined
  body: unknown
}

const folder = mkdtempSync(join(tmpdir(), 'guildhall-bot-'))
/** Everything that was sent to Discord. */
const sent: Sent[] = []
/** The statuses that Discord answers with before it accepts something, by a part of the path. */
const rejections = new Map<string, number[]>()
const discord = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, url: path, headers } = request
  sent.push({ method, path, authorization: headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) })
  const status = [...rejections].find(([part]) => path?.includes(part))?.[1].shift() ?? 200
  response.writeHead(status, status === 429 ? { 'retry-after': '0.1' } : {}).end('{}')
})
after(() => {
  discord.close()
  rmSync(folder, { recursive: true, force: true })
})

cpSync(join(repository, 'examples/discord-bot'), folder, { recursive: true, filter: (path) => !path.includes('node_modules') })
await installClient(folder)
await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve))
const discordApi = `http://127.0.0.1:${(discord.address() as AddressInfo).port}`
const table = await newGameTable()
const service = await startService(env)
/** A proxy in front of the service, which is busy or slow when a test says so. */
const front = { busy: 0, delayMs: 0 }
const proxy = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (front.busy-- > 0) {
    response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
    return response.end(JSON.stringify({ status: 503, code: 'overloaded', detail: 'The server is overloaded.' }))
  }
  await sleep(front.delayMs)
  const { host, ...headers } = request.headers
  const passed = send(`${service.base}${request.url}`, { method: request.method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  passed.on('error', () => response.destroy()).end(Buffer.concat(chunks))
})
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
after(() => proxy.close())
const program = join(folder, 'bot.ts')
const settings = {
  GUILDHALL_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
  GUILDHALL_KEY: (await table.developer('USER')).key,
  GUILDHALL_COMPANY: table.company_id,
  DISCORD_PUBLIC_KEY,
  DISCORD_GUILD: GUILD,
  DISCORD_API: discordApi,
}
/** The bot as an operator runs it. */
const usual = await startScript(program, settings)
/** A bot that defers no answer, however busy the machine is. */
const bot = await startScript(program, { ...settings, DEFER_AFTER_MS: '60000' })
/** A bot that defers every answer, and never tries again. */
const hasty = await startScript(program, { ...settings, DEFER_AFTER_MS: '0', GUILDHALL_RETRIES: '0' })

let interactions = 0

/** An interaction of a Discord user, as Discord sends it. */
function command(user: string, name: string, options: Record<string, string | number> = {}, more: object = {}) {
  const id = `8${String(++interactions).padStart(18, '0')}`
  return {
    id,
    application_id: '7000',
    type: 2,
    token: `token-${id}`,
    guild_id: GUILD,
    channel_id: '5000',
    channel: { id: '5000', type: 0 },
    member: { nick: null, user: { id: user, username: `name_of_${user}`, global_name: `Player ${user}` } },
    data: { id: '1', name, type: 1, options: Object.entries(options).map(([option, value]) => ({ name: option, type: 3, value })) },
    ...more,
  }
}

function signed(body: string, timestamp = String(Math.floor(Date.now() / 1000))) {
  const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex')
  return { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp, 'content-type': 'application/json' }
}

async function deliver(interaction: object, to = bot): Promise<Message> {
  const body = JSON.stringify(interaction)
  const response = await fetch(to.base, { method: 'POST', body, headers: signed(body) })
  assert.equal(response.status, 200)
  return (await response.json()) as Message
}

/** The text of a message as people read it: without backslashes, and without the characters that keep an @ from notifying people. */
const readable = (content = '') => withoutGuards(content.replace(/\\([^0-9A-Za-z\s])/g, '$1'))

/** Gives a command and returns the text of the answer, which everyone sees. */
async function tell(...args: Parameters<typeof command>): Promise<string> {
  const { type, data } = await deliver(command(...args))
  assert.deepEqual([type, data?.flags], [4, undefined], data?.content)
  assert.deepEqual(data?.allowed_mentions, { parse: [] })
  return readable(data?.content)
}

/** Gives a command and returns the text of the answer, which only its user sees. */
async function whisper(...args: Parameters<typeof command>): Promise<string> {
  const { type, data } = await deliver(command(...args))
  assert.deepEqual([type, data?.flags], [4, EPHEMERAL], data?.content)
  return readable(data?.content)
}

/** Gives a command and returns the Markdown of the answer. */
const raw = async (...args: Parameters<typeof command>) => (await deliver(command(...args))).data?.content ?? ''

const messagesOf = (id: string) => sent.filter(({ path }) => path?.startsWith(`/webhooks/7000/token-${id}`))
/** Gives a command to the bot that defers every answer, and returns the text that follows. */
async function tellLater(...args: Parameters<typeof command>): Promise<string> {
  const interaction = command(...args)
  assert.deepEqual(await deliver(interaction, hasty), { type: 5, data: {} })
  await waitFor(async () => messagesOf(interaction.id).length, 1)
  const [message] = messagesOf(interaction.id) as [Sent]
  return (message.body as { content: string }).content
}

const rollsWith = async (comment: string) => {
  const { items } = (await table.teller.get('/dice-rolls?limit=100&sort=-date_created')).body as unknown as { items: DiceRoll[] }
  return items.filter((roll) => roll.comment === comment)
}
/** The only roll with this comment. */
const rollWith = async (comment: string) => {
  const rolls = await rollsWith(comment)
  assert.equal(rolls.length, 1, comment)
  return rolls[0] as DiceRoll
}
const usersOf = async (id: string) => {
  const { body } = await call('GET', `${table.base}/users?external_id=discord:${id}`, { key: table.key })
  return body.items as unknown as User[]
}
const channelOfCampaign = async () => ((await table.teller.get(table.C)).body.metadata as Record<string, string>).discord_channel

const TELLER = '1'
const MINA = '2'
const PING = { id: '1', application_id: '7000', type: 1, token: 'x' }

test('the example compiles in a copy of its folder', async () => {
  const types = join(repository, 'node_modules/@types')
  await run(TSC, ['-p', folder, '--typeRoots', types]).catch(({ stdout }) => assert.fail(stdout))
})

test('a Node that cannot run TypeScript is told what the bot needs', async () => {
  const script = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts.start as string
  const [first = ''] = script.split(' && ')
  await run(process.execPath, first.split(' ').slice(1), { cwd: folder })
  const older = run(process.execPath, ['--no-experimental-strip-types', ...first.split(' ').slice(1)], { cwd: folder })
  await assert.rejects(older, { code: 1, stderr: /^The bot needs Node 22\.18 or later, which runs TypeScript\. This is v\d/ })
})

test('only requests that Discord has signed are answered', async () => {
  assert.deepEqual(await deliver(PING), { type: 1 })
  const body = JSON.stringify(PING)
  const good = signed(body)
  const other = generateKeyPairSync('ed25519').privateKey
  const secondsAgo = (seconds: number) => String(Math.floor(Date.now() / 1000) - seconds)
  const cases: Record<string, [headers: Record<string, string>, body?: string]> = {
    'no signature': [{}],
    'no timestamp': [{ 'x-signature-ed25519': good['x-signature-ed25519'] }],
    'a signature that is no hex': [{ ...good, 'x-signature-ed25519': 'z'.repeat(128) }],
    'a signature that is too short': [{ ...good, 'x-signature-ed25519': good['x-signature-ed25519'].slice(2) }],
    'another key': [
      { ...good, 'x-signature-ed25519': sign(null, Buffer.from(good['x-signature-timestamp'] + body), other).toString('hex') },
    ],
    'another body': [good, body.replace('7000', '7001')],
    'the same JSON in other bytes': [good, `${body} `],
    'another timestamp': [{ ...good, 'x-signature-timestamp': secondsAgo(1) }],
    'a timestamp of ten minutes ago': [signed(body, secondsAgo(600))],
    'a timestamp in half a minute': [signed(body, secondsAgo(-30))],
    'a timestamp that is no number': [signed(body, 'now')],
  }
  for (const [what, [headers, sentBody = body]] of Object.entries(cases)) {
    const { status } = await fetch(bot.base, { method: 'POST', body: sentBody, headers })
    assert.equal(status, 401, what)
  }
  const spaced = `{ "type" : 1, "note": "\u00e9 é" }`
  const response = await fetch(bot.base, { method: 'POST', body: spaced, headers: signed(spaced) })
  assert.deepEqual([response.status, await response.json()], [200, { type: 1 }], 'the signature is that of the raw body')
  for (const broken of ['', 'null', '{', '7', '"text"', '[]', '{}', '{"type":9}']) {
    const refused = await fetch(bot.base, { method: 'POST', body: broken, headers: signed(broken) })
    assert.equal(refused.status, 400, broken)
  }
  assert.equal((await fetch(bot.base)).status, 405)
  assert.equal((await fetch(bot.base, { method: 'POST', body: 'x'.repeat(200_000) })).status, 413)
})

test('a table plays in a channel', async () => {
  const { base, key, teller, C, campaign_id } = table
  await call('PATCH', `${base}/users/${teller.id}`, { key, body: { external_id: `discord:${TELLER}` } })

  // A person that the service does not know becomes a PLAYER, once, and may roll anywhere.
  assert.deepEqual(await usersOf(MINA), [])
  const first = await Promise.all([tell(MINA, 'roll', { dice: '2d6+1' }), tell(MINA, 'roll', { dice: '1d20', comment: '@everyone look' })])
  assert.match(first[0], /2d6/)
  assert.match(first[1], /@everyone look/)
  const users = await usersOf(MINA)
  assert.deepEqual(
    users.map(({ name, role }) => [name, role]),
    [['Player 2', 'PLAYER']],
  )
  const [mina] = users as [User]

  // A channel gets its campaign from somebody who manages it.
  assert.match(await whisper(MINA, 'sheet'), /no campaign/)
  assert.match(await whisper(MINA, 'link', { campaign: 'Fall of Kingsport' }), /^Only the storytellers of this campaign/)
  assert.match(await whisper(TELLER, 'link', { campaign: 'Nowhere' }), /nothing with the name “Nowhere”/)
  assert.match(await tell(TELLER, 'link', { campaign: 'kingsport' }), /Fall of Kingsport/)
  assert.equal(await channelOfCampaign(), '5000')
  assert.match(await tell(MINA, 'recap'), /Fall of Kingsport.*\n?.*no chapter yet/s)

  // The character of a player is found without its name.
  assert.match(await whisper(MINA, 'sheet'), /You play no character/)
  const made = await call('POST', `${base}/users/${mina.id}${C}/characters`, {
    key,
    body: { name: 'Jonathan Crane', concept: 'Scholar', traits: { wits: 4, occult: 3 } },
  })
  const trackers = `${base}/users/${mina.id}${C}/characters/${made.body.id}/trackers`
  await call('PUT', `${trackers}/hit_points`, { key, body: { label: 'Hit points', value: 7, maximum: 10 } })
  const sheet = await whisper(MINA, 'sheet')
  for (const part of ['Jonathan Crane', 'Scholar', 'wits 4', 'occult 3', 'Hit points 7 / 10'])
    assert.ok(sheet.includes(part), `${part} in ${sheet}`)
  assert.match(await tell(MINA, 'roll', { dice: '1d20+{wits}', comment: 'Look around' }), /Look around/)
  const look = await rollWith('Look around')
  assert.deepEqual([look.campaign_id, look.character_id, look.user_id], [campaign_id, made.body.id, mina.id])

  const pool = await tell(MINA, 'pool', { dice: 'Wits + occult', difficulty: 6, modifier: -1, comment: 'Read the tome' })
  assert.match(pool, /Read the tome/)
  const tome = await rollWith('Read the tome')
  assert.deepEqual([tome.pool?.difficulty, tome.pool?.modifier, tome.dice.length], [6, -1, 6])
  await tell(MINA, 'pool', { dice: '5', comment: 'Five dice' })
  assert.equal((await rollWith('Five dice')).dice.length, 5)

  assert.match(await tell(MINA, 'adjust', { name: 'Hit points', by: -3 }), /Jonathan Crane.*Hit points 4 \/ 10 \(-3\)/)
  assert.match(await tell(TELLER, 'adjust', { name: 'wits', by: 1, character: 'crane', reason: 'A lesson' }), /wits 5 \(\+1\)/)
  assert.match(await whisper(MINA, 'adjust', { name: 'hit_points', by: 100 }), /out of range/)
  assert.match(await whisper(MINA, 'adjust', { name: 'courage', by: 1 }), /courage/)

  assert.match(await whisper(MINA, 'xp'), /no experience/)
  assert.match(await whisper(MINA, 'xp', { award: 5, reason: 'Because' }), /Only storytellers|Only the storytellers/)
  assert.match(await whisper(TELLER, 'xp', { award: 5 }), /reason/)
  assert.match(await tell(TELLER, 'xp', { award: 5, reason: 'The lighthouse' }), /5 experience for everyone \(2\): The lighthouse/)
  assert.match(await tell(TELLER, 'xp', { award: 2, reason: 'Wit', character: 'Jonathan Crane' }), /2 experience for Jonathan Crane/)
  assert.match(await whisper(MINA, 'xp'), /You\*\*: 7 to spend, 7 earned/)

  const book = await teller.make(`${C}/books`, { name: 'Arrival' })
  await teller.make(`${C}/books/${book}/chapters`, { name: 'The lighthouse', description: 'The lamp was dark. '.repeat(500) })
  const recap = await tell(MINA, 'recap')
  assert.match(recap, /The lighthouse.*The lamp was dark/s)
  assert.ok(recap.length <= 2000, 'Discord takes 2,000 characters')
  assert.match(await tell(MINA, 'recap', {}, { channel_id: '5001', channel: { id: '5001', type: 11, parent_id: '5000' } }), /lighthouse/)

  // Errors of the service are sentences.
  assert.match(await whisper(MINA, 'roll', { dice: '2d' }), /notation: .*sides/)
  assert.match(await whisper(MINA, 'roll', { dice: '1d20+{courage}' }), /courage/)
  assert.match(await whisper(MINA, 'roll', { dice: '1d6' }, { guild_id: '1' }), /does not know/)
  for (const name of ['dance', '__proto__', 'constructor', 'toString']) assert.match(await whisper(MINA, name), /does not know/, name)

  // A channel has one campaign: a new one replaces the former.
  await teller.make('/campaigns', { name: 'Rise of Innsmouth' })
  assert.match(await tellLater(MINA, 'recap'), /Fall of Kingsport/)
  await tell(TELLER, 'link', { campaign: 'Rise of Innsmouth' })
  assert.match(await tell(MINA, 'recap'), /Rise of Innsmouth/)
  assert.match(await tellLater(MINA, 'recap'), /Rise of Innsmouth/, 'at another bot, too')
  assert.equal(await channelOfCampaign(), undefined)
  await tell(TELLER, 'link', { campaign: 'Fall of Kingsport' })
})

test('a struck die is struck through, and no comment or name is formatted, a link or a mention', async () => {
  const comment = '**@everyone** [x](http://evil.example) <@1> <#1> :smile:'
  const { data } = await deliver(command(MINA, 'roll', { dice: '2d20kh1', comment }))
  const content = data?.content ?? ''
  assert.deepEqual(
    rendered(content).marks.map(([kind]) => kind),
    ['del', 'strong'],
    content,
  )
  assert.ok(withoutGuards(rendered(content).text).includes(`(${comment})`), content)
  assert.deepEqual(discordMarks(content.replace(/~~\d+~~|\*\*\d+\*\*/g, '')), [])
  const { plain } = await import('../../examples/discord-bot/discord.ts')
  for (const text of [comment, '> a', '-# a', '1. a', '---', '||a||', '__a__', '\\@here', 'a\n# b']) {
    assert.deepEqual(discordMarks(plain(text)), [], text)
    assert.deepEqual(rendered(plain(text)).marks, [], text)
  }
})

test('only /link decides which campaign a channel plays', async () => {
  const { teller, stranger, base, key, campaign_id } = table
  const STRANGER = '4'
  const elsewhere = { channel_id: '7000', channel: { id: '7000', type: 0 } }
  const nowhere = { channel_id: '7100', channel: { id: '7100', type: 0 } }
  await call('PATCH', `${base}/users/${stranger.id}`, { key, body: { external_id: `discord:${STRANGER}` } })
  const strange = await stranger.make('/campaigns', { name: 'Strange tales' })

  // Whatever the owner of a campaign writes, no channel gets the campaign by it.
  const asStranger = { key: settings.GUILDHALL_KEY, headers: { 'on-behalf-of': stranger.id } }
  const bots = (await call('GET', `${base}/users?external_id=discord-bot`, { key })).body.items as unknown as User[]
  assert.deepEqual(
    bots.map(({ metadata }) => metadata),
    [{ channel_5000: campaign_id }],
  )
  for (const channel of ['5000', '7100']) {
    const metadata = { discord_channel: channel, [`channel_${channel}`]: strange }
    assert.equal((await stranger.patch(`/campaigns/${strange}`, { metadata })).status, 200)
    assert.equal((await call('PATCH', `${base}/users/${stranger.id}`, { ...asStranger, body: { metadata } })).status, 200)
    assert.equal((await call('PATCH', `${base}/users/${bots[0]?.id}`, { ...asStranger, body: { metadata } })).status, 403)
    for (const who of [MINA, STRANGER]) {
      assert.match(await tell(who, 'recap'), /Fall of Kingsport/)
      assert.match(await tellLater(who, 'recap'), /Fall of Kingsport/)
      assert.match(await whisper(who, 'recap', {}, nowhere), /no campaign/)
    }
  }
  await whisper(MINA, 'roll', { dice: '1d6', secret: 'STORYTELLER', comment: 'Not for strangers' })
  assert.equal((await rollWith('Not for strangers')).campaign_id, campaign_id)

  // A link needs the right to change the campaign. The latest one counts, also if the person may not change the former campaign.
  await tell(STRANGER, 'link', { campaign: 'Strange tales' }, elsewhere)
  assert.match(await whisper(STRANGER, 'link', { campaign: 'Fall of Kingsport' }, elsewhere), /^Only the storytellers of this campaign/)
  assert.match(await tell(MINA, 'recap', {}, elsewhere), /Strange tales/)
  await tell(TELLER, 'link', { campaign: 'Fall of Kingsport' }, elsewhere)
  assert.equal((await stranger.patch(`/campaigns/${strange}`, { metadata: { discord_channel: '7000' } })).status, 200)
  for (const who of [MINA, STRANGER, TELLER]) {
    assert.match(await tell(who, 'recap', {}, elsewhere), /Fall of Kingsport/)
    assert.match(await tellLater(who, 'recap', {}, elsewhere), /Fall of Kingsport/)
  }
  assert.match(await tell(MINA, 'recap'), /Fall of Kingsport/, 'a campaign can have several channels')

  // Somebody who does not see the campaign of a channel plays none there.
  await teller.make('/campaigns', { name: 'Closed circle', access: 'MEMBERS' })
  await tell(TELLER, 'link', { campaign: 'Closed circle' }, elsewhere)
  assert.match(await whisper(MINA, 'recap', {}, elsewhere), /no campaign/)
  assert.match(await tell(TELLER, 'recap', {}, elsewhere), /Closed circle/)
  await tell(TELLER, 'link', { campaign: 'Fall of Kingsport' })
  assert.equal(await channelOfCampaign(), '5000')
})

test('where experience belongs to characters, an award goes to them', async () => {
  const { teller, base, key } = table
  const id = await teller.make('/campaigns', { name: 'Seven graves', experience_per: 'CHARACTER' })
  const elsewhere = { channel_id: '6000', channel: { id: '6000', type: 0 } }
  const [mina] = (await usersOf(MINA)) as [User]
  for (const name of ['Anna', 'Annabel'])
    await call('POST', `${base}/users/${mina.id}/campaigns/${id}/characters`, { key, body: { name, traits: { wits: 2 } } })
  await tell(TELLER, 'link', { campaign: 'Seven graves' }, elsewhere)
  assert.match(await tell(TELLER, 'xp', { award: 4, reason: 'Digging', character: 'anna' }, elsewhere), /4 experience for Anna: Digging/)
  assert.match(await tell(TELLER, 'xp', { award: 1, reason: 'Rest' }, elsewhere), /1 experience for everyone \(2\)/)
  const balances = await whisper(MINA, 'xp', {}, elsewhere)
  assert.match(balances, /Anna\*\*: 5 to spend/)
  assert.match(balances, /Annabel\*\*: 1 to spend/)
  assert.match(await whisper(MINA, 'sheet', {}, elsewhere), /Which one: Anna, Annabel\?/)
  assert.match(await whisper(MINA, 'sheet', { character: 'Annabel' }, elsewhere), /Annabel/)
})

test('texts of people are shown as they were written, and never as Markdown', async () => {
  const { teller, base, key } = table
  const masked = '[click](https://evil.example)'
  const elsewhere = { channel_id: '6500', channel: { id: '6500', type: 0 } }
  const campaign = await teller.make('/campaigns', { name: `Masks ${masked}` })
  const [mina] = (await usersOf(MINA)) as [User]
  const characters = `${base}/users/${mina.id}/campaigns/${campaign}/characters`
  const made = await call('POST', characters, { key, body: { name: masked, concept: masked, traits: { wits: 2 } } })
  await call('PUT', `${characters}/${made.body.id}/trackers/luck`, { key, body: { label: masked, value: 1, maximum: 5 } })
  const book = await teller.make(`/campaigns/${campaign}/books`, { name: 'Book' })
  await teller.make(`/campaigns/${campaign}/books/${book}/chapters`, { name: masked, description: `# ${masked} *x* \`y\` <@1>` })
  const texts = [
    await raw(TELLER, 'link', { campaign: 'Masks' }, elsewhere),
    await raw(MINA, 'roll', { dice: '1d6', comment: masked }, elsewhere),
    await raw(MINA, 'roll', { dice: '1d6', comment: `\\${masked}` }, elsewhere),
    await raw(MINA, 'adjust', { name: 'luck', by: 1 }, elsewhere),
    await raw(TELLER, 'xp', { award: 1, reason: masked, character: masked }, elsewhere),
    await raw(MINA, 'recap', {}, elsewhere),
    await raw(MINA, 'sheet', {}, elsewhere),
    await raw(MINA, 'sheet', { character: `No ${masked}` }, elsewhere),
  ]
  for (const text of texts) {
    assert.ok(text.includes('click\\](https\\://evil.example)'), text)
    // What Discord does with escaped characters: they are text. No bracket is left.
    assert.doesNotMatch(text.replaceAll(/\\[^0-9A-Za-z\s]/g, ''), /[[\]`<>#]/)
  }
  await teller.patch(`/campaigns/${campaign}/characters/${made.body.id}`, { sheet_visibility: 'PLAYER' })
  assert.match(await raw(MINA, 'roll', { dice: '1d6', comment: masked }, elsewhere), /^\\\[click\\\]\(https\\:.*\(\\\[click\\\]/)
})

test('an interaction that arrives several times at once, at several bots, is executed once', async () => {
  const roll = command(MINA, 'roll', { dice: '10d10', comment: 'Once only' })
  const answers = await Promise.all([...Array(6)].map((_, i) => deliver(roll, i % 3 ? bot : hasty)))
  const contents = answers.filter(({ type }) => type === 4).map(({ data }) => data?.content)
  assert.equal(contents.length, 4)
  assert.equal(new Set(contents).size, 1)
  await waitFor(async () => messagesOf(roll.id).length, 2)
  for (const { body } of messagesOf(roll.id)) assert.equal((body as { content: string }).content, contents[0])
  assert.equal((await rollsWith('Once only')).length, 1)
  assert.equal((await deliver(roll)).data?.content, contents[0], 'also later')
  assert.equal((await rollsWith('Once only')).length, 1)

  const adjust = command(MINA, 'adjust', { name: 'hit_points', by: -1 })
  const award = command(TELLER, 'xp', { award: 3, reason: 'Twice told' })
  await Promise.all([adjust, adjust, award, award].map((interaction) => deliver(interaction)))
  assert.match(await whisper(MINA, 'sheet'), /Hit points 3 \/ 10/)
  assert.match(await whisper(MINA, 'xp'), /10 to spend/)
})

test('what only one person may see is not shown to the channel', async () => {
  const { teller, C } = table
  const npc = await teller.make(`${C}/characters`, { name: 'The ghoul', type: 'NPC', visibility: 'STORYTELLER', traits: { claws: 6 } })
  assert.ok(npc)
  const mine = await whisper(MINA, 'roll', { dice: '3d10', secret: 'STORYTELLER', comment: 'Under the table' })
  const kept = await rollWith('Under the table')
  assert.equal(kept.visibility, 'STORYTELLER')
  assert.ok(mine.includes(String(kept.total)))
  await whisper(MINA, 'pool', { dice: 'wits', secret: 'BLIND', comment: 'Is he lying?' })
  assert.equal((await rollWith('Is he lying?')).visibility, 'BLIND')

  assert.match(await whisper(TELLER, 'xp', { award: 1, reason: 'Biting', character: 'ghoul' }), /The ghoul has no player/)
  // A character that players do not see does not exist for them, and is not named to them by the storyteller's commands.
  assert.match(await whisper(MINA, 'sheet', { character: 'ghoul' }), /nothing with the name/)
  assert.match(await whisper(TELLER, 'adjust', { name: 'claws', by: 1, character: 'ghoul' }), /claws 7/)
  assert.match(await whisper(TELLER, 'roll', { dice: '1d10+{claws}', character: 'ghoul', comment: 'Claws' }), /Claws/)
  assert.equal((await rollWith('Claws')).visibility, 'STORYTELLER')

  // The dice of a hidden sheet are shown, its traits are not.
  const hero = (await teller.get(`${C}/characters?q=Crane`)).body.items[0]?.id
  await teller.patch(`${C}/characters/${hero}`, { sheet_visibility: 'PLAYER' })
  const shown = await tell(MINA, 'pool', { dice: 'wits occult', difficulty: 6 })
  assert.match(shown, /^Jonathan Crane: (\d+ ){8}… : net -?\d+, [A-Z]+$/)
  assert.match(await tell(MINA, 'roll', { dice: '1d6+{wits}' }), /^Jonathan Crane: \d … = \d+$/)
  assert.match(await whisper(MINA, 'adjust', { name: 'hit_points', by: 1 }), /Hit points 4/)
  assert.match(await whisper('3', 'sheet', { character: 'Crane' }), /hidden from you/)

  // The same holds for answers that come later: whether they are private was decided before.
  const late = command(MINA, 'adjust', { name: 'hit_points', by: 1 })
  assert.deepEqual(await deliver(late, hasty), { type: 5, data: {} })
  await waitFor(async () => messagesOf(late.id).length, 2)
  const [original, second] = messagesOf(late.id)
  assert.deepEqual([original?.method, original?.path], ['PATCH', `/webhooks/7000/${late.token}/messages/@original`])
  assert.doesNotMatch(JSON.stringify(original?.body), /Hit points|Crane/)
  assert.deepEqual([second?.method, (second?.body as { flags?: number } | undefined)?.flags], ['POST', EPHEMERAL])
  assert.match(JSON.stringify(second?.body), /Hit points 5/)
  const secret = command(MINA, 'roll', { dice: '1d6', secret: 'STORYTELLER' })
  assert.deepEqual(await deliver(secret, hasty), { type: 5, data: { flags: EPHEMERAL } })
  await waitFor(async () => messagesOf(secret.id).map(({ method }) => method), ['PATCH'])
})

test('a follow-up that Discord does not take yet is sent again, and one that it rejects is not', async () => {
  const early = command(MINA, 'roll', { dice: '1d6' })
  rejections.set(early.token, [404, 429, 500])
  await deliver(early, hasty)
  await waitFor(async () => messagesOf(early.id).length, 4)
  const wrong = command(MINA, 'roll', { dice: '1d6' })
  rejections.set(wrong.token, [403])
  await deliver(wrong, hasty)
  await waitFor(async () => /answers a follow-up with 403/.test(hasty.output()), true)
  assert.equal(messagesOf(wrong.id).length, 1)
  assert.deepEqual(await deliver(PING, hasty), { type: 1 })
})

test('while the service is busy or slow, commands are deferred, and then executed once', async () => {
  for (const [comment, state] of Object.entries({ Busy: { busy: 3, delayMs: 0 }, Slow: { busy: 0, delayMs: 900 } })) {
    Object.assign(front, state)
    const roll = command(MINA, 'roll', { dice: '2d6', comment })
    assert.deepEqual(await deliver(roll, usual), { type: 5, data: {} }, comment)
    await waitFor(async () => messagesOf(roll.id).length, 1)
    assert.match(JSON.stringify(messagesOf(roll.id)[0]?.body), new RegExp(comment))
    assert.ok(await rollWith(comment))
  }
  Object.assign(front, { busy: 1, delayMs: 0 })
  const failed = command(MINA, 'xp')
  assert.deepEqual(await deliver(failed, hasty), { type: 5, data: { flags: EPHEMERAL } })
  await waitFor(async () => messagesOf(failed.id).length, 1)
  assert.match(JSON.stringify(messagesOf(failed.id)[0]?.body), /does not answer right now/)
})

test('while the service is away, commands are deferred, and executed once when it is back', async () => {
  const { port } = new URL(service.base)
  await service.kill('SIGKILL')
  const failed = command(MINA, 'recap')
  await deliver(failed, hasty)
  await waitFor(async () => messagesOf(failed.id).length, 2)
  assert.match(JSON.stringify(messagesOf(failed.id)[1]?.body), /does not answer right now/)

  const roll = command(MINA, 'roll', { dice: '2d6', comment: 'Patience' })
  const answers = await Promise.all(
    [roll, roll, command(TELLER, 'roll', { dice: '1d4', comment: 'Another' })].map((each) => deliver(each, usual)),
  )
  assert.deepEqual(answers, Array(3).fill({ type: 5, data: {} }))
  await startService({ ...env, PORT: port })
  await waitFor(async () => messagesOf(roll.id).length, 2, 60_000)
  for (const { method, body } of messagesOf(roll.id)) {
    assert.equal(method, 'PATCH')
    assert.match((body as { content: string }).content, /Patience/)
  }
  assert.equal((await rollsWith('Patience')).length, 1)
  await waitFor(async () => (await rollsWith('Another')).length, 1, 60_000)
})

test('register.ts tells Discord the commands', async () => {
  const known = { DISCORD_API: discordApi, DISCORD_APPLICATION: '7000', DISCORD_GUILD: GUILD, DISCORD_BOT_TOKEN: 'bot-token' }
  const { stdout } = await run(process.execPath, ['register.ts'], { cwd: folder, env: { ...process.env, ...known } })
  assert.match(stdout, /\/link, \/roll, \/pool, \/sheet, \/adjust, \/xp, \/recap/)
  const { method, path, authorization, body } = sent.at(-1) as Sent
  assert.deepEqual([method, path, authorization], ['PUT', `/applications/7000/guilds/${GUILD}/commands`, 'Bot bot-token'])
  const commands = body as { name: string; description: string; default_member_permissions?: string; options?: { required: boolean }[] }[]
  assert.equal(commands.find(({ name }) => name === 'link')?.default_member_permissions, '16')
  for (const { name, description, options = [] } of commands) {
    assert.match(name, /^[a-z]{1,32}$/)
    assert.ok(description.length >= 1 && description.length <= 100)
    const required = options.map((option) => option.required)
    assert.deepEqual(
      required,
      [...required].sort((a, b) => Number(b) - Number(a)),
      `${name}: required options come first`,
    )
  }
  const missing = await run(process.execPath, ['register.ts'], { cwd: folder, env: { PATH: process.env.PATH } }).catch((error) => error)
  assert.match(missing.stderr, /^DISCORD_APPLICATION is not set/)
})

test('a bot that is told to stop ends by itself', async () => {
  for (const each of [bot, usual, hasty]) assert.equal(await each.kill('SIGTERM'), 0)
  for (const { output } of [bot, usual, hasty]) assert.doesNotMatch(output(), /glh_|token-|Error/)
})
