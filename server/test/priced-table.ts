import assert from 'node:assert/strict'
import { newGameTable, type Person, twoApps } from './game-table.ts'
import { call } from './harness.ts'

type Pack = 'd10-pool' | 'srd-5.2'

/** Creates a game table whose campaign is played by a copy of a pack, or by a document. */
export async function newPricedTable(rules: Pack | object, experience_per: 'USER' | 'CHARACTER' = 'USER') {
  const table = await newGameTable()
  const { base, key, teller, player, C } = table
  const patched = await teller.patch(C, { experience_per })
  assert.equal(patched.status, 200, patched.text)
  const send = async (path: string, body?: object): Promise<Record<string, string>> => {
    const reply = await call('POST', `${base}/rulesets${path}`, { key, headers: { 'on-behalf-of': teller.id }, ...(body && { body }) })
    assert.ok(reply.status < 300, reply.text)
    return reply.body as never
  }
  const pin = async (version_id: string | undefined, mode: 'STRICT' | 'ADVISORY' = 'STRICT') => {
    const reply = await teller.put(`${C}/ruleset`, { version_id, mode, accept_faults: true })
    assert.equal(reply.status, 200, reply.text)
  }
  /** Publishes a document as a ruleset of its own, or as the next version of one. */
  const publish = async (document: object, ruleset_id?: string) => {
    const created = ruleset_id ? await send(`/${ruleset_id}/versions`, { document }) : await send('', { document })
    const ids = ruleset_id
      ? { ruleset_id, version_id: created.id as string }
      : { ruleset_id: created.id as string, version_id: created.draft_version_id as string }
    await send(`/${ids.ruleset_id}/versions/${ids.version_id}/publish`)
    return ids
  }
  const copied = async (pack: Pack) => {
    const { id, published_version_id } = await send('', { pack })
    return { ruleset_id: id as string, version_id: published_version_id as string }
  }
  const ids = typeof rules === 'string' ? await copied(rules) : await publish(rules)
  await pin(ids.version_id)
  const hero = await teller.make(`${C}/characters`, { name: 'Hero', user_id: player.id })
  /** Sets traits and choices without asking the rules of a player. */
  const change = async (body: object) => {
    const reply = await teller.patch(`${C}/characters/${hero}`, body)
    assert.equal(reply.status, 200, reply.text)
  }
  const award = async (amount: number) => {
    const recipient = experience_per === 'USER' ? { user_id: player.id } : { character_id: hero }
    const reply = await teller.post(`${C}/experience/awards`, { reason: 'Session', awards: [{ ...recipient, amount }] })
    assert.equal(reply.status, 201, reply.text)
  }
  const raise = (name: string, to: number, body: object = {}, { by = player, i = 0 }: { by?: Person; i?: number } = {}) => {
    // Storytellers name the user whose experience they spend, where it belongs to users.
    const ofUser = by !== player && experience_per === 'USER' ? { user_id: player.id } : {}
    return by.post(
      `${C}/experience/spends`,
      { reason: 'Learned', character_id: hero, trait: { name, to }, ...ofUser, ...body },
      {},
      twoApps[i % 2] as never,
    )
  }
  const traits = async () => (await teller.get(`${C}/characters/${hero}`)).body.traits as Record<string, number>
  const balance = async () => {
    const { items } = (await teller.get(`${C}/experience`)).body as never as { items: (Balance & { user_id: string })[] }
    const found = items.find(({ user_id }) => user_id === player.id)
    return [found?.earned ?? 0, found?.spent ?? 0, found?.available ?? 0]
  }
  return { ...table, ...ids, hero, H: `${C}/characters/${hero}`, pin, publish, change, award, raise, traits, balance }
}

interface Balance {
  earned: number
  spent: number
  available: number
}
