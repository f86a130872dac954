import assert from 'node:assert/strict'
import { countCompany } from '../src/upkeep/count-settled.ts'
import { newGameTable } from './game-table.ts'
import { type Answer, call, db } from './harness.ts'
import { once } from './once.ts'
import { plans } from './plans.ts'
import { newRuledSecrets } from './ruled-worlds.ts'

// For users who may not see a secret, it does not exist. Two worlds that differ only in their secrets must give these users equal replies
// to every request.

export const WORD = 'zzyzx'

/** Creates a private campaign, in which the player took part until they left it. */
async function makePrivateCampaign({ teller, player }: Awaited<ReturnType<typeof newGameTable>>) {
  const campaign_id = await teller.make('/campaigns', { name: `Mister ${WORD}`, description: WORD, access: 'MEMBERS' })
  const P = `/campaigns/${campaign_id}`
  await teller.put(`${P}/members/${player.id}`, { role: 'PLAYER' })
  const character_id = await player.make(`${P}/characters`, { name: `Mister ${WORD}`, biography: 'ghoul', traits: { wits: 3 } })
  await player.make(`${P}/characters/${character_id}/inventory`, { name: `Mister ${WORD}` })
  await player.make(`${P}/characters/${character_id}/quick-rolls`, { name: `Mister ${WORD}`, notation: '1d6' })
  await teller.make(`${P}/quick-rolls`, { name: WORD, notation: '1d6' })
  for (const parent of [P, `${P}/characters/${character_id}`]) await player.make(`${parent}/notes`, { title: `Mister ${WORD}`, body: WORD })
  const book = await teller.make(`${P}/books`, { name: `Mister ${WORD}` })
  await teller.make(`${P}/books/${book}/chapters`, { name: `Mister ${WORD}` })
  await player.make('/dice-rolls', { pool: { traits: ['wits'] }, character_id, comment: WORD })
  await player.make('/dice-rolls', { notation: '2d6', campaign_id, visibility: 'STORYTELLER' })
  await teller.post(`${P}/experience/awards`, { user_ids: [player.id], amount: 5, reason: WORD })
  assert.equal((await player.post(`${P}/leave`)).status, 204)
  return campaign_id
}

/** Makes secret rolls by the service and at the table, and voids some of them. */
async function makeVoidedRolls({ teller, player, campaign_id }: Awaited<ReturnType<typeof newGameTable>>, character_id: string) {
  for (const visibility of ['STORYTELLER', 'BLIND'])
    for (const manual of [undefined, [20]]) {
      const roll = { notation: '1d20', target: 12, campaign_id, comment: WORD, visibility, ...(manual && { manual }) }
      const ids = [await teller.make('/dice-rolls', { ...roll, character_id }), await teller.make('/dice-rolls', roll)]
      if (visibility === 'BLIND') ids.push(await player.make('/dice-rolls', roll))
      for (const id of ids) {
        await teller.make('/dice-rolls', roll)
        assert.equal((await teller.post(`/dice-rolls/${id}/void`, { reason: `Not ${WORD}` })).status, 200)
      }
    }
}

export type GameTable = Awaited<ReturnType<typeof newGameTable>>

export async function newWorld(hasSecrets: boolean, begin: (table: GameTable) => Promise<void> = async () => {}) {
  const table = await newGameTable()
  await begin(table)
  const { teller, player, stranger, C } = table
  // Experience belongs to characters here: an award to all reaches no NPC, hidden or not.
  await teller.patch(C, { experience_per: 'CHARACTER' })
  const book = await teller.make(`${C}/books`, { name: 'Book' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Chapter' })
  const hero = await player.make(`${C}/characters`, { name: 'Hero' })
  const npc = await teller.make(`${C}/characters`, { name: 'Landlord', type: 'NPC' })
  const sheets = await newHiddenSheets(table, hasSecrets)
  const noteParents = [
    C,
    `${C}/books/${book}`,
    `${C}/books/${book}/chapters/${chapter}`,
    `${C}/characters/${hero}`,
    `${C}/characters/${npc}`,
  ]
  for (const parent of noteParents) await player.make(`${parent}/notes`, { title: 'Open note', body: 'Known to all' })
  await player.make('/notes', { title: 'Own note' })
  // A roll without dice has the same result in both worlds.
  const openRoll = await player.make('/dice-rolls', { notation: '7', campaign_id: table.campaign_id })
  const voidedRoll = await player.make('/dice-rolls', { notation: '8', campaign_id: table.campaign_id })
  assert.equal((await teller.post(`/dice-rolls/${voidedRoll}/void`, { reason: 'Known to all' })).status, 200)
  await stranger.make('/campaigns', { name: 'Elsewhere' })
  // Players see the name of this tracker in both worlds, and its value in none.
  const doom = { label: 'Doom', value: hasSecrets ? 5 : 1, maximum: 8, start: hasSecrets ? 2 : 0, visibility: 'NAME_ONLY' }
  const trackerOwners = [C, `${C}/characters/${hero}`, `${C}/characters/${npc}`]
  for (const owner of trackerOwners) {
    await teller.put(`${owner}/trackers/doom`, doom)
    await teller.put(`${owner}/trackers/morale`, { value: 3, movable_by: 'MEMBERS' })
  }
  const params: Record<string, string> = {
    company_id: table.company_id,
    campaign_id: table.campaign_id,
    book_id: book,
    chapter_id: chapter,
    character_id: hero,
    member_id: teller.id,
    roll_id: openRoll,
    key: 'doom',
  }
  const hidden: Record<string, string> = {}
  if (hasSecrets) {
    hidden.character_id = await teller.make(`${C}/characters`, {
      name: `Mister ${WORD}`,
      type: 'NPC',
      visibility: 'STORYTELLER',
      biography: `The ${WORD} is a ghoul`,
      concept: WORD,
      traits: { [WORD]: 5 },
    })
    await teller.make(`${C}/characters/${hidden.character_id}/inventory`, { name: `Cup of ${WORD}` })
    await teller.make(`${C}/characters/${hidden.character_id}/quick-rolls`, { name: WORD, notation: `1d6+{${WORD}}` })
    await teller.make(`${C}/characters/${hidden.character_id}/notes`, { title: `Note on ${WORD}`, body: WORD })
    const archived = await teller.make(`${C}/characters`, { name: `Gone ${WORD}`, type: 'NPC', visibility: 'STORYTELLER' })
    await teller.delete(`${C}/characters/${archived}`)
    for (const parent of noteParents) {
      hidden.note_id = await teller.make(`${parent}/notes`, { title: `For tellers: ${WORD}`, body: WORD, visibility: 'STORYTELLER' })
      await teller.make(`${parent}/notes`, { title: `For me: ${WORD}`, body: WORD, visibility: 'AUTHOR' })
      await teller.delete(`${parent}/notes/${await teller.make(`${parent}/notes`, { title: `Gone ${WORD}`, visibility: 'STORYTELLER' })}`)
    }
    await teller.make('/notes', { title: `My own ${WORD}`, body: WORD })
    const roll = { notation: '3d6', campaign_id: table.campaign_id, comment: WORD }
    hidden.roll_id = await teller.make('/dice-rolls', { ...roll, visibility: 'STORYTELLER' })
    await teller.make('/dice-rolls', { ...roll, visibility: 'BLIND', character_id: hidden.character_id })
    await player.make('/dice-rolls', { ...roll, visibility: 'BLIND' })
    await makeVoidedRolls(table, hidden.character_id)
    hidden.private_id = await makePrivateCampaign(table)
    hidden.key = WORD
    for (const owner of trackerOwners) {
      for (let i = 0; i < 2; i++) await teller.post(`${owner}/trackers/doom/adjust`, { by: 1, reason: WORD })
      await teller.post(`${owner}/trackers/reset`, { keys: ['doom'], reason: WORD })
    }
    for (const owner of [...trackerOwners, `${C}/characters/${hidden.character_id}`])
      for (const plot of [`Mister ${WORD} is a ghoul`, WORD]) {
        const written = await teller.patch(`${owner}/secret-metadata`, { metadata: { [WORD]: plot } })
        assert.equal(written.status, 200, written.text)
      }
    for (const owner of [C, `${C}/characters/${npc}`, `${C}/characters/${hidden.character_id}`])
      await teller.put(`${owner}/trackers/${WORD}`, { label: `Clock of ${WORD}`, value: 1, style: 'CLOCK', visibility: 'STORYTELLER' })
  }
  const awarded = await teller.post(`${C}/experience/awards`, { amount: 3, reason: 'Session 1', to: 'MEMBERS' })
  const webhook = await call('POST', `${table.base}/webhooks`, { key: table.key, body: { name: 'Bot', url: 'https://bot.example/' } })
  params.webhook_id = webhook.body.id
  const term = await call('POST', `${table.base}/terms`, { key: table.key, body: { term: 'Ghoul', definition: 'Known to all' } })
  params.term_id = term.body.id
  const ruleset = await call('POST', `${table.base}/rulesets`, { key: table.key, body: { pack: 'd10-pool' } })
  const { id: ruleset_id, published_version_id } = ruleset.body as unknown as Record<'id' | 'published_version_id', string>
  Object.assign(params, { ruleset_id, version_id: published_version_id, pack_id: 'd10-pool', roll: 'test', step: 'concept' })
  await makeCreations(table, params, hidden, hasSecrets)
  params.entry_id = awarded.body.items[0]?.id as string
  await player.make(`${C}/experience/spends`, { amount: 1, reason: 'Learned', character_id: hero })
  const ruled = await newRuledSecrets(table, sheets.owner, hasSecrets, WORD)
  return { ...table, params, hidden, npc, sheets, ruled }
}

/** A game without trackers, which would be among those of the worlds. */
const CREATED_BY = {
  format: 1,
  name: 'Who is who',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 5 } },
  traits: { wits: { group: 'stats' } },
  choices: { concept: { options: { soldier: {}, spy: {} } } },
  creation: { steps: [{ id: 'concept', kind: 'choose', slot: 'concept' }] },
}

/** Starts creations, of which a player sees their own. */
async function makeCreations(
  { base, key, teller, player, C }: Awaited<ReturnType<typeof newGameTable>>,
  params: Record<string, string>,
  hidden: Record<string, string>,
  hasSecrets: boolean,
) {
  const ruleset = await call('POST', `${base}/rulesets`, { key, body: { document: CREATED_BY } })
  const { id, draft_version_id } = ruleset.body as unknown as Record<'id' | 'draft_version_id', string>
  const published = await call('POST', `${base}/rulesets/${id}/versions/${draft_version_id}/publish`, { key })
  assert.equal(published.status, 200, published.text)
  assert.equal((await teller.put(`${C}/ruleset`, { version_id: draft_version_id, accept_faults: true })).status, 200)
  params.creation_id = await player.make(`${C}/creations`, { choices: { concept: 'soldier' } })
  if (hasSecrets) {
    hidden.creation_id = await teller.make(`${C}/creations`, { type: 'NPC' })
    const answered = await teller.put(`${C}/creations/${hidden.creation_id}/steps/concept`, { answer: 'spy' })
    assert.equal(answered.status, 200, answered.text)
  }
  assert.equal((await teller.delete(`${C}/ruleset`)).status, 204)
}

/**
 * Makes characters with sheets that are hidden from all viewers, and the same public rolls for them. Their traits, details, trackers, items and
 * experience are secrets, which exist in one of the two worlds. That something changed is none, so each character has the same version in both.
 */
async function newHiddenSheets(table: Awaited<ReturnType<typeof newGameTable>>, hasSecrets: boolean) {
  const { teller, other, person, C } = table
  const owner = await person('PLAYER', 'Owner')
  const masked = await owner.make(`${C}/characters`, { name: 'Masked', sheet_visibility: 'PLAYER' })
  const cursed = await teller.make(`${C}/characters`, { name: 'Cursed', user_id: other.id, sheet_visibility: 'STORYTELLER' })
  const klarg = await teller.make(`${C}/characters`, { name: 'Klarg', type: 'NPC', sheet_visibility: 'STORYTELLER' })
  const ids = [masked, cursed, klarg]
  for (const character_id of ids) await teller.make('/dice-rolls', { notation: '5', character_id })
  for (const id of ids) {
    const path = `${C}/characters/${id}`
    const sheet = { traits: { [WORD]: 3, hp: -7, mp: 2 }, details: { clan: `Of ${WORD}`, story: WORD.repeat(300) } }
    await teller.patch(path, hasSecrets ? sheet : { traits: { luck: 1 } })
    if (!hasSecrets) {
      await teller.patch(path, { traits: { luck: 2 } })
      continue
    }
    const item = `${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Ring of ${WORD}`, description: WORD })}`
    await teller.post(`${item}/adjust`, { quantity: 1 })
    await teller.delete(`${path}/inventory/${await teller.make(`${path}/inventory`, { name: `Lost ${WORD}` })}`)
    await makeTrackers(table, path)
    await makeQuickRolls(table, path)
    const pool = { traits: [WORD], difficulty: 6 }
    const secretRoll = await teller.make('/dice-rolls', { pool, character_id: id, visibility: 'STORYTELLER', comment: WORD })
    if (id === cursed) await teller.post(`/dice-rolls/${secretRoll}/void`, { reason: WORD })
  }
  if (hasSecrets) {
    const awards = [masked, cursed].map((character_id) => ({ character_id, amount: 9 }))
    await teller.make(`${C}/experience/awards`, { reason: `For ${WORD}`, awards })
  }
  await spendOn(table, C, owner, masked, hasSecrets)
  // Here, experience belongs to users: that of a user is hidden with one of their sheets.
  const perUser = await teller.make('/campaigns', { name: 'Of users' })
  const U = `/campaigns/${perUser}`
  const veiled = await owner.make(`${U}/characters`, { name: 'Veiled', sheet_visibility: 'PLAYER' })
  if (hasSecrets) {
    await teller.make(`${U}/experience/awards`, { amount: 9, reason: `For ${WORD}`, user_ids: [owner.id] })
    await owner.make(`${U}/experience/spends`, { amount: 2, reason: `Bought ${WORD}` })
  }
  await spendOn(table, U, owner, veiled, hasSecrets)
  return { owner, ids, perUser }
}

/** Makes trackers on a hidden sheet, which members could move and see if they saw the sheet, and moves them and a trait. */
async function makeTrackers({ teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>, path: string) {
  await teller.put(`${path}/trackers/${WORD}`, { label: `Blood of ${WORD}`, value: 3, maximum: 9, movable_by: 'MEMBERS' })
  await teller.put(`${path}/trackers/doom`, { value: 3, maximum: 9, visibility: 'NAME_ONLY' })
  await teller.put(`${path}/trackers/lost`, { label: `Lost ${WORD}`, value: 1 })
  await teller.delete(`${path}/trackers/lost`)
  await teller.post(`${path}/trackers/${WORD}/adjust`, { by: 1, reason: WORD })
  assert.equal(
    (await teller.post(`${path}/adjust`, { traits: { hp: 1, mp: -1 }, trackers: { [WORD]: 1, doom: 1 }, reason: WORD })).status,
    200,
  )
}

/** Saves, changes, archives and rolls quick rolls on a hidden sheet. */
async function makeQuickRolls({ teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>, path: string) {
  const bite = `${path}/quick-rolls/${await teller.make(`${path}/quick-rolls`, { name: WORD, notation: `1d6+{${WORD}}` })}`
  assert.equal((await teller.patch(bite, { target: 9 })).status, 200)
  assert.equal((await teller.post(`${bite}/roll`, { visibility: 'STORYTELLER' })).status, 201)
  const lost = await teller.make(`${path}/quick-rolls`, { name: `Lost ${WORD}`, pool: { traits: [WORD] } })
  assert.equal((await teller.delete(`${path}/quick-rolls/${lost}`)).status, 204)
}

/** Raises a trait on a hidden sheet by spending experience, and takes the spend back. In the world without secrets, something else changes twice. */
async function spendOn(
  { teller }: Pick<Awaited<ReturnType<typeof newGameTable>>, 'teller'>,
  C: string,
  owner: Awaited<ReturnType<Awaited<ReturnType<typeof newGameTable>>['person']>>,
  character_id: string,
  hasSecrets: boolean,
) {
  if (!hasSecrets) {
    for (const luck of [3, 4]) await teller.patch(`${C}/characters/${character_id}`, { traits: { luck } })
    return
  }
  const spend = { amount: 2, reason: `Bought ${WORD}`, character_id, trait: { name: WORD, to: 4 } }
  const spent = await owner.make(`${C}/experience/spends`, spend)
  await owner.make(`${C}/experience/entries/${spent}/reverse`, { reason: `Not ${WORD}` })
}

/** Masks the ids, times and hashes of a reply, which differ between companies. */
export const masked = ({ status, text }: Answer) =>
  `${status} ${text
    // First, because a cursor is random, and can look like one of the others.
    .replaceAll(/(?<="(?:next_)?cursor":"|^id: )[\w-]+|(?<=^retry: )\d+/gm, '*')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '*')
    .replaceAll(/req_[\w-]+/g, '*')
    .replaceAll(/[0-9a-f]{64}/g, '*')}`

export type World = Awaited<ReturnType<typeof newWorld>>
export const VIEWERS = ['player', 'other', 'stranger', 'nobody'] as const

/** Sends a read to both worlds as the same viewer: a user, or a USER key without one. */
export async function bothWorlds(
  worlds: [World, World],
  keys: readonly [string, string],
  viewer: (typeof VIEWERS)[number],
  path: (world: World, user_id: string) => string,
) {
  const replies = worlds.map((world, i) => {
    const user = viewer === 'nobody' ? world.player : world[viewer]
    const headers: Record<string, string> = viewer === 'nobody' ? {} : { 'on-behalf-of': user.id }
    return call('GET', path(world, user.id), { key: keys[i as 0 | 1], headers })
  })
  return (await Promise.all(replies)) as [Answer, Answer]
}

export const reads = plans.filter(({ act, inCompany }) => act === 'read' && inCompany)
export const QUERIES = [
  '',
  'limit=0',
  'limit=1',
  'sort=-date_created',
  'sort=name',
  'sort=-number',
  'sort=-date_modified',
  'modified_since=2000-01-01T00:00:00Z',
  'mine=true',
  'scope=all',
  'scope=all&archived=true',
  'include=chapters',
  'include=members,characters,trackers,character_trackers,experience,latest_chapter,rolls,secret_metadata',
  'include=inventory,notes,trackers,experience,rolls,player,secret_metadata',
  'q=m',
  `q=${WORD.slice(0, 2)}`,
  `q=${WORD}`,
  'q=mister',
  'q=ghoul',
  'archived=true',
  'include=inventory,notes,trackers,experience',
  'include=sheet',
  'type=NPC',
  'status=ACTIVE',
  `q=${WORD}&type=character,note`,
  `q=${WORD}x`,
  'q=zzyzy',
]

/** True if an operation has the parameters of a query. */
export const isTakenBy = ({ query }: (typeof reads)[number], text: string) =>
  [...new URLSearchParams(text).keys()].every((name) => name in ((query as { properties?: object } | undefined)?.properties ?? {}))

/** The queries that an operation takes, and one that it refuses: which of its parameters are unknown depends on no row. */
export const queriesFor = (op: (typeof reads)[number], queries = QUERIES): string[] => {
  const refused = queries.find((query) => !isTakenBy(op, query))
  return [...queries.filter((query) => isTakenBy(op, query)), ...(refused === undefined ? [] : [refused])]
}

async function newWorlds() {
  const worlds: [World, World] = [await newWorld(false), await newWorld(true)]
  const keys = [(await worlds[0].developer('USER')).key, (await worlds[1].developer('USER')).key] as const
  // From here on, totals of ledgers and histories are read from stored numbers.
  for (const { company_id } of worlds) await countCompany(db, company_id, new Date())
  return { worlds, keys }
}

/** The worlds that the tests of a file share. A test that changes them is the last one. */
export const sharedWorlds = once(newWorlds)
