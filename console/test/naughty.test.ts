import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { NAUGHTY } from '../../server/test/naughty.ts'
import { newScene } from './scene.ts'

const skip = missingBrowser()

test('names that have broken other programs are shown as text, and change nothing else on the page', { skip }, async () => {
  const { teller, C, campaign_id, signIn, goto, base, key, service } = await newScene()
  const { page, errors, path } = await signIn(teller.id)
  const names: string[] = []
  for (const name of NAUGHTY) {
    const reply = await fetch(`${service.base}${base}/users/${teller.id}${C}/characters`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name, type: 'NPC', concept: name.slice(0, 100) }),
    })
    const body = (await reply.json()) as { name: string }
    // The service refuses some of them, such as those of spaces only.
    if (reply.status === 201) names.push(body.name)
    else assert.equal(reply.status, 400, JSON.stringify(body))
  }
  assert.ok(names.length > 100, `${names.length} names`)

  await goto(page, `${path}${C}/characters`)
  const shown = () => page.locator('.character-card strong').allTextContents()
  await waitFor(async () => (await shown()).length, names.length)
  assert.deepEqual((await shown()).sort(), names.sort())
  const foreign = 'img, iframe, object, embed, video, audio, marquee, main script, main style, main link, [onerror], [onload], [onclick]'
  assert.equal(await page.locator(foreign).count(), 0)

  // The Table and the search show them, too.
  await goto(page, `/console/c/${base.split('/').at(-1)}/as/${teller.id}/campaigns/${campaign_id}`)
  await page.getByRole('region', { name: 'Dice tray' }).waitFor()
  assert.equal(await page.locator(foreign).count(), 0)
  assert.deepEqual(errors, [])
})
