// What an application does, in every runtime that the client supports. It uses nothing of Node.

/** Plays a short game as the operator of a service. Returns what happened, and a token with its place. */
export async function play({ Guildhall, ApiError, metaOf, verifyRoll }, { baseUrl, apiKey }) {
  const gh = new Guildhall({ baseUrl, apiKey })
  const company = gh.company((await gh.companies.create({ name: 'Blackwood Games' })).id)
  const teller = company.as((await company.users.create({ name: 'Renfield', role: 'STORYTELLER' })).id)
  const user = await company.users.link('discord:1', { name: 'Mina' })
  const mina = company.as(user.id)
  const { id } = await teller.campaigns.create({ name: 'Fall of Kingsport' })
  const campaign = mina.campaign(id)
  const { cursor } = await mina.changes.list()
  const crane = await campaign.characters.create({ name: 'Jonathan Crane', traits: { wits: 3 } })
  const roll = await mina.diceRolls.create({ pool: { traits: ['wits'], difficulty: 6 }, character_id: crane.id, campaign_id: id })
  const refused = await campaign.experience.spend({ amount: 4, reason: 'Books' }).catch((error) => error)
  if (!ApiError.is(refused, 'not_enough_experience')) throw refused
  const stale = await campaign.characters.update(crane.id, { name: 'Crane' }, { ifMatch: '"99"' }).catch((error) => error)
  const names = []
  for await (const { name } of company.users.list({ limit: 1, sort: 'name' })) names.push(name)
  const types = []
  for await (const { type } of campaign.events({ after: cursor, types: ['character.*', 'dice_roll.*'] })) {
    types.push(type)
    if (types.length === 2) break
  }
  const plain = await mina.diceRolls.create({ notation: '2d6+3' })
  await mina.diceSeeds.rotate()
  const { holds } = await verifyRoll(await mina.diceRolls.proof(plain.id), plain)
  const { token } = await mina.tokens.create({ scope: 'PLAY' })
  return {
    summary: [names.join(), roll.dice.length, metaOf(roll).status, refused.code, stale.code, types.join(), holds].join(' '),
    token,
    place: { company_id: user.company_id, user_id: user.id, campaign_id: id },
  }
}

export const SUMMARY = 'Mina,Renfield 3 201 not_enough_experience precondition_failed character.created,dice_roll.created true'

/** Reads and writes with the token of a user, as a page does. */
export async function playAsUser({ Guildhall, ApiError }, { baseUrl, token, place }) {
  let asked = 0
  const gh = new Guildhall({ baseUrl, token: async () => (++asked === 1 ? `${token.slice(0, -1)}_` : token) })
  const me = await gh.me.get()
  const campaign = gh.company(place.company_id).as(place.user_id).campaign(place.campaign_id)
  const note = await campaign.notes.create({ title: 'The lighthouse' })
  const events = campaign.events({ types: ['note.updated'] })
  const first = events.next()
  await new Promise((resolve) => setTimeout(resolve, 500))
  await campaign.notes.update(note.id, { title: 'The old lighthouse' }, { ifMatch: note })
  const { value } = await first
  await events.return()
  const refused = await gh.companies.create({ name: 'x' }).catch((error) => error)
  return [me.kind, asked, value.type, ApiError.is(refused, 'forbidden') && refused.reason].join(' ')
}

/** Verifies a webhook, as a receiver in this runtime does: by the headers of a Request and by those of Node, as text and as bytes. */
export async function receive({ verifyWebhook, WebhookError }, { secret, headers, body }) {
  const request = new Request('http://receiver.example/hook', { method: 'POST', headers, body })
  const event = await verifyWebhook(secret, request.headers, await request.text())
  const again = await verifyWebhook(secret, headers, new TextEncoder().encode(body))
  const changed = await verifyWebhook(secret, headers, `${body} `).catch((error) => error)
  const old = await verifyWebhook(secret, headers, body, { now: () => Date.now() + 3_600_000 }).catch((error) => error)
  return [event.type, again.data.title, changed instanceof WebhookError && changed.code, old.code].join(' ')
}

export const WEBHOOK_SUMMARY = 'note.created Würfel 🎲 bad_signature too_old'
export const USER_SUMMARY = 'USER 2 note.updated api_key_required'
