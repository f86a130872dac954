import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { newGameTable } from './game-table.ts'
import { type Answer, call } from './harness.ts'

/** The field `ruleset` of a roll. */
export interface Ruled {
  version_id: string
  roll: string
  inputs: Record<string, string | number>
  values: Record<string, number>
  choices: Record<string, string>
  score: number | null
  margin: number | null
  code: string | null
  label: string | null
}

export const ruledOf = ({ body }: Answer) => (body as unknown as { ruleset: Ruled }).ruleset

/** Creates a game table, and a function with which its campaign is played by a copy of a pack, or by a document. */
export async function newTableToRule() {
  const table = await newGameTable()
  const { base, key, teller, C } = table
  const play = async (game: string | object, settings: object = {}) => {
    const source = typeof game === 'string' ? { pack: game } : { document: game }
    const created = await call('POST', `${base}/rulesets`, { key, body: { ...source, name: `Game ${randomUUID()}` } })
    assert.equal(created.status, 201, created.text)
    const ids = created.body as unknown as Record<'id' | 'published_version_id' | 'draft_version_id', string>
    if (ids.draft_version_id) {
      const published = await call('POST', `${base}/rulesets/${ids.id}/versions/${ids.draft_version_id}/publish`, { key })
      assert.equal(published.status, 200, published.text)
    }
    const version_id = ids.draft_version_id ?? ids.published_version_id
    const pinned = await teller.put(`${C}/ruleset`, { version_id, accept_faults: true, ...settings })
    assert.equal(pinned.status, 200, pinned.text)
    return { ruleset_id: ids.id, version_id }
  }
  return { ...table, play }
}

/** Creates a game table whose campaign is played by a copy of a pack, or by a document, and a character of the player. */
export async function newRuledTable(game: string | object, sheet: object = {}) {
  const { play, ...table } = await newTableToRule()
  const { teller, player, C } = table
  const ids = await play(game, { mode: 'ADVISORY' })
  const character_id = await player.make(`${C}/characters`, { name: 'Mina', ...sheet })
  const H = `${C}/characters/${character_id}`
  /** Moves a tracker, which the ruleset has made, to this value. */
  const track = async (name: string, value: number) => {
    const moved = await teller.post(`${H}/trackers/${name}/adjust`, { to: value })
    assert.equal(moved.status, 200, moved.text)
  }
  const trackerValue = async (name: string) => ((await teller.get(`${H}/trackers/${name}`)).body as unknown as { value: number }).value
  const nonceOf = async (path = `${C}/dice-seed`) => ((await teller.get(path)).body as unknown as { next_nonce: number }).next_nonce
  return { ...table, ...ids, character_id, H, track, trackerValue, nonceOf }
}
