import assert from 'node:assert/strict'
import type { newGameTable, Person } from './game-table.ts'
import { type Answer, call } from './harness.ts'

type GameTable = Awaited<ReturnType<typeof newGameTable>>

/** Every formula reads `dread` and `tide`, whose values players do not see. A roll without dice has the same result in both worlds. */
const GAME = {
  format: 1,
  name: 'Coast',
  source: { license: 'CC0-1.0', attribution: null, url: null, changes: null },
  groups: { stats: { min: 0, max: 9 }, burdens: { min: 0, max: 3 } },
  traits: { nerve: { group: 'stats' }, hunted: { group: 'burdens' } },
  derived: { grit: { formula: 'nerve + dread + tide * 10 + wounded + job.pay + xp.earned' } },
  choices: { job: { values: { pay: 1 }, options: { sailor: { values: { pay: 3 } }, captain: { values: { pay: 7 } } } } },
  trackers: {
    health: { max: 'nerve + dread + tide + 5' },
    luck: { max: 9, start: 5 },
    dread: { max: 9, start: 0 },
    tide: { scope: 'campaign', max: 9, start: 0 },
  },
  conditions: { wounded: { most: 3 }, haunted: { most: 3 } },
  experience: {
    raise: [
      { of: 'stats', cost: 'new + dread' },
      { of: 'burdens', cost: '-2 - dread' },
    ],
  },
  checks: [{ that: 'dread + tide < 3', message: 'The deep is near.', level: 'WARNING' }],
  rolls: {
    dare: {
      spends: { push: { tracker: 'luck', amount: 1, most: 2 } },
      values: { courage: 'nerve + dread + tide + push' },
      dice: { all: '4' },
      score: 'total + courage',
      margin: 'score - 2',
      outcomes: [
        { when: 'score >= 9', code: 'kraken', outcome: 'CRITICAL' },
        { code: 'calm', outcome: 'SUCCESS' },
      ],
    },
    hide: {
      spends: { push: { tracker: 'luck', amount: 1, most: 2 } },
      values: { behind: 'nerve' },
      dice: { all: '4' },
      outcomes: [{ code: 'hidden', outcome: 'SUCCESS' }],
    },
  },
}

async function done(sent: Promise<Answer>): Promise<Answer> {
  const answer = await sent
  assert.ok(answer.status < 300, answer.text)
  return answer
}

/** Publishes the game in the company of a table. */
export async function publishGame({ base, key }: Pick<GameTable, 'base' | 'key'>, document: object) {
  const send = async (path: string, body?: object) =>
    (await done(call('POST', `${base}/rulesets${path}`, { key, ...(body && { body }) }))).body as never as Record<string, string>
  const { id: ruleset_id, draft_version_id } = await send('', { document })
  await send(`/${ruleset_id}/versions/${draft_version_id}/publish`)
  return { ruleset_id: ruleset_id as string, version_id: draft_version_id as string }
}

/**
 * Makes a campaign that is played by a ruleset. Its secrets exist in one of two worlds: values of trackers that players do not see, a hidden NPC, rolls that only
 * storytellers see, and everything on sheets that are hidden from all viewers. `owner` plays one of these.
 */
export async function newRuledSecrets(table: GameTable, owner: Person, hasSecrets: boolean, word: string) {
  const { teller, player, other } = table
  const { ruleset_id, version_id } = await publishGame(table, GAME)
  const campaign_id = await teller.make('/campaigns', { name: 'Ruled' })
  const R = `/campaigns/${campaign_id}`
  await done(teller.patch(R, { experience_per: 'CHARACTER' }))
  await done(teller.put(`${R}/ruleset`, { version_id, mode: 'ADVISORY' }))
  const hero = await player.make(`${R}/characters`, { name: 'Ruled hero', traits: { nerve: 2 }, choices: { job: 'sailor' } })
  const npc = await teller.make(`${R}/characters`, { name: 'Ruled landlord', type: 'NPC' })
  for (const id of [hero, npc]) {
    await done(teller.patch(`${R}/characters/${id}/trackers/dread`, { visibility: id === npc ? 'NAME_ONLY' : 'STORYTELLER' }))
    if (hasSecrets) await done(teller.post(`${R}/characters/${id}/trackers/dread/adjust`, { to: 4, reason: word }))
  }
  await done(teller.patch(`${R}/trackers/tide`, { visibility: 'STORYTELLER' }))
  if (hasSecrets) await done(teller.post(`${R}/trackers/tide/adjust`, { to: 5, reason: word }))
  const hidden = hasSecrets ? await makeHiddenNpc(table, R, hero, word) : undefined

  // Everything that the player does with their own sheet follows from what they see.
  await done(player.put(`${R}/characters/${hero}/conditions/wounded`, { level: 1 }))
  await done(teller.post(`${R}/experience/awards`, { reason: 'Play', awards: [{ character_id: hero, amount: 20 }] }))
  for (const trait of [
    { name: 'nerve', to: 4 },
    { name: 'hunted', to: 1 },
  ])
    await done(player.post(`${R}/experience/spends`, { reason: 'Learned', character_id: hero, trait }))
  const roll = await done(player.post(`${R}/characters/${hero}/rolls/dare`, { spends: { push: 1 } }))

  const masked = await owner.make(`${R}/characters`, { name: 'Ruled mask', sheet_visibility: 'PLAYER' })
  const cursed = await teller.make(`${R}/characters`, { name: 'Ruled curse', user_id: other.id, sheet_visibility: 'STORYTELLER' })
  for (const id of [masked, cursed]) await makeHiddenSheet(table, `${R}/characters/${id}`, id, hasSecrets, word)
  return { campaign_id, R, ruleset_id, version_id, ids: [hero, npc, masked, cursed], roll_id: roll.body.id, hidden }
}

/** Makes a hidden NPC, and rolls that only storytellers see: for it, and for the hero. */
async function makeHiddenNpc({ teller, player }: GameTable, R: string, hero: string, word: string): Promise<string> {
  const id = await teller.make(`${R}/characters`, {
    name: `Mister ${word}`,
    type: 'NPC',
    visibility: 'STORYTELLER',
    traits: { nerve: 9 },
    choices: { job: 'captain' },
  })
  await done(teller.put(`${R}/characters/${id}/conditions/haunted`, { level: 2 }))
  await done(teller.post(`${R}/characters/${id}/rolls/dare`, { visibility: 'STORYTELLER', comment: word, spends: { push: 1 } }))
  await done(teller.post(`${R}/characters/${id}/rolls/dare`, { visibility: 'BLIND', comment: word }))
  await done(teller.post(`${R}/characters/${hero}/rolls/dare`, { visibility: 'STORYTELLER', comment: word }))
  for (const person of [teller, player])
    await done(person.post(`${R}/characters/${hero}/rolls/dare`, { visibility: 'BLIND', comment: word }))
  return id
}

/** Fills a sheet that is hidden from all viewers. That the character changed is no secret, so that the other world has as many changes. */
async function makeHiddenSheet({ teller }: GameTable, path: string, character_id: string, hasSecrets: boolean, word: string) {
  const R = path.slice(0, path.indexOf('/characters/'))
  await done(teller.post(`${path}/rolls/hide`, { spends: { push: 1 } }))
  if (!hasSecrets) {
    for (const hunted of [1, 2, 1, 2, 1, 2]) await done(teller.patch(path, { traits: { hunted } }))
    await done(teller.post(`${path}/rolls/hide`, { spends: { push: 1 } }))
    return
  }
  await done(teller.patch(path, { traits: { nerve: 3 }, choices: { job: 'captain' } }))
  for (const level of [2, 1]) await done(teller.put(`${path}/conditions/haunted`, { level }))
  await done(teller.post(`${path}/trackers/luck/adjust`, { by: -1, reason: word }))
  await done(teller.patch(`${path}/trackers/dread`, { visibility: 'NAME_ONLY' }))
  await done(teller.post(`${path}/rolls/dare`, { visibility: 'STORYTELLER', comment: word, spends: { push: 1 } }))
  await done(teller.post(`${R}/experience/awards`, { reason: `For ${word}`, awards: [{ character_id, amount: 50 }] }))
  for (const [name, to] of [
    ['nerve', 5],
    ['hunted', 2],
  ] as const)
    await done(teller.post(`${R}/experience/spends`, { reason: `Bought ${word}`, character_id, trait: { name, to } }))
  const { items } = (await teller.get(`${R}/experience/entries?character_id=${character_id}&kind=GAIN`)).body
  await done(teller.post(`${R}/experience/entries/${items[0]?.id}/reverse`, { reason: `Not ${word}` }))
  await done(teller.post(`${path}/rolls/hide`, { spends: { push: 1 } }))
}
