import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { RulesetDocument } from '../../rules/src/ruleset/document.ts'
import { ask } from '../../server/test/service.ts'
import { newScene } from './scene.ts'

interface Rules {
  pack?: string
  mode?: 'STRICT' | 'ADVISORY'
  /** The fields of the character. */
  hero?: object
}

/** A campaign that is played by a copy of a pack, with the sheet of a character in the browser of its player. */
export async function openRuledSheet({ pack = 'd10-pool', mode = 'STRICT', hero: fields = {} }: Rules = {}) {
  const scene = await newRuledScene(pack)
  const { teller, player, C, writeAs, signIn, goto, versionId } = scene
  const [tell, play] = [writeAs(teller.id), writeAs(player.id)]
  const { id } = await play('POST', `${C}/characters`, { name: 'Jonathan Crane', ...fields })
  await tell('PUT', `${C}/ruleset`, { version_id: versionId, mode, accept_faults: true })
  const H = `${C}/characters/${id}`
  const { page, errors, path } = await signIn(player.id)
  const open = async (query = '') => {
    await goto(page, path + H + query)
    await page.getByRole('heading', { name: 'Jonathan Crane', level: 1 }).waitFor()
  }
  await open()
  return { ...scene, hero: id as string, H, page, errors, path, tell, play, open }
}

/** A company with a copy of a pack, which no campaign is played by yet. */
export async function newRuledScene(pack = 'd10-pool') {
  const scene = await newScene()
  const { service, base, key } = scene
  /** Sends a request as the developer, past the browser. */
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await ask(service, method, base + path, key, body)
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.body as Record<string, unknown>
  }
  const { id, published_version_id } = await send('POST', '/rulesets', { pack })
  /** Publishes the next version of the ruleset, and returns its id. */
  const publish = async (change: (document: RulesetDocument) => void) => {
    const { document } = await send('GET', `/packs/${pack}`)
    // The examples of the pack would not hold any more.
    const { examples: _, ...rest } = document as RulesetDocument
    change(rest)
    const draft = await send('POST', `/rulesets/${id}/versions`, { document: rest })
    await send('POST', `/rulesets/${id}/versions/${draft.id}/publish`)
    return draft.id as string
  }
  return { ...scene, send, publish, rulesetId: id as string, versionId: published_version_id as string }
}

/** A part of the sheet with a heading of its own. */
export const part = (page: Page, name: string): Locator =>
  page.locator('.sheet-part').filter({ has: page.getByRole('heading', { name, exact: true }) })

/** The row of a value on the sheet. */
export const row = (page: Page, label: string): Locator =>
  page.locator('.sheet-value, .sheet-derived > li, .sheet-chosen').filter({ hasText: new RegExp(`^${label}`) })

/** The text of a row, as a screen reader reads it. */
export const shown = (page: Page, label: string) => async () => (await row(page, label).first().textContent())?.replace(/\s+/g, ' ').trim()
