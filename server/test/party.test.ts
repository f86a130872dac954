import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { installClient } from '../../client/test/install.ts'
import { violationsOf } from './accessibility.ts'
import { missingBrowser, openPage, waitFor } from './browser.ts'
import { newCompany, pooler, url } from './harness.ts'
import { root } from './markdown.ts'
import { newFolder, startScript, startService } from './service.ts'

// Plays examples/party: the tracker as its own process, in a copy of its folder, with the package of the client installed.

const skip = missingBrowser()
const stateOf = (page: Page) => () => page.locator('#state').getAttribute('data-state')
const healthOn = (page: Page) => () => page.locator('.health strong').allTextContents()
const spentOn = (page: Page) => () => page.locator('.spent').count()

test('the party tracker shows hits, slots, rolls and rests on every screen, and finds its table again', { skip }, async () => {
  const { key } = await newCompany()
  const service = await startService({ DATABASE_URL: url, DATABASE_POOLER: pooler ? 'transaction' : 'none' })
  const copy = newFolder()
  cpSync(join(root, 'examples/party'), copy, { recursive: true })
  await installClient(copy)
  const startTracker = () => startScript(join(copy, 'server.js'), { GUILDHALL_URL: service.base, GUILDHALL_API_KEY: key })
  const tracker = await startTracker()
  const [one, two] = [await openPage(), await openPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })]
  for (const { page } of [one, two]) {
    await page.goto(tracker.base)
    await waitFor(stateOf(page), 'live')
  }
  await one.page.getByText('Add a hero').click()
  for (const [label, value] of Object.entries({ Player: 'Ana', Hero: 'Vex <b>', 'Class and level': 'Wizard 3', 'Spell slots': '2 1' }))
    await one.page.locator('#add').getByLabel(label).fill(value)
  await one.page.getByRole('button', { name: 'Add', exact: true }).click()
  for (const { page } of [one, two]) await waitFor(healthOn(page), ['10 / 10'])
  assert.equal(await two.page.locator('#heroes h2').textContent(), 'Vex <b>')

  // Both hits count, and the second one stops at 0.
  await Promise.all([one, two].map(({ page }) => page.getByRole('button', { name: 'Hit Vex <b> for 5' }).click()))
  await one.page.getByRole('button', { name: 'Spend a slot of Vex <b>, Level 1' }).first().click()
  await two.page.getByRole('button', { name: 'Roll initiative' }).click()
  for (const { page } of [one, two]) {
    await waitFor(healthOn(page), ['0 / 10'])
    await waitFor(spentOn(page), 1)
    await page.locator('#rolls li').getByText('Vex <b> (Initiative): 1d20+0: ').waitFor()
  }
  assert.deepEqual(await violationsOf(one.page), [])
  assert.deepEqual(await violationsOf(two.page), [])
  assert.equal(await two.page.evaluate('document.documentElement.scrollWidth'), 390, 'a phone does not scroll sideways')

  await tracker.kill('SIGTERM')
  await waitFor(stateOf(one.page), 'lost')
  const again = await startTracker()
  await one.page.goto(again.base)
  await waitFor(healthOn(one.page), ['0 / 10'])
  await one.page.getByRole('button', { name: 'Long rest' }).click()
  await waitFor(healthOn(one.page), ['10 / 10'])
  await waitFor(spentOn(one.page), 0)
  assert.deepEqual([...one.errors, ...two.errors], [])
})
