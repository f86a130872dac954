import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks, shoot } from './checks.ts'
import { newScene } from './scene.ts'

const skip = missingBrowser()

const boxesOf = async (elements: Locator) => Promise.all((await elements.all()).map((element) => element.boundingBox()))

test('tabs stay in place, filters are not cut, and More is marked on the pages behind it', { skip }, async () => {
  const { player, C, signIn, goto } = await newScene()
  const { page, errors, path } = await signIn(player.id)
  await goto(page, `${path}${C}/statistics`)
  const tabs = page.getByRole('tab')
  await tabs.first().waitFor()
  const before = await boxesOf(tabs)
  await page.getByRole('tab', { name: 'Mine', exact: true }).click()
  await page.getByRole('tab', { name: 'Mine', exact: true, selected: true }).waitFor()
  assert.deepEqual(await boxesOf(tabs), before)

  // The bar at the top reaches the edge of the window on a page that does not scroll, too.
  assert.equal(await page.evaluate("innerWidth - document.querySelector('.top-bar').getBoundingClientRect().right"), 0)

  await page.setViewportSize({ width: 360, height: 780 })
  const more = page.locator('.rail button', { hasText: 'More' })
  await waitFor(() => more.getAttribute('aria-current'), 'true')
  await shoot(page, 'more is marked')
  await goto(page, `${path}${C}/dice`)
  await page.locator('.filters').waitFor()
  await waitFor(() => more.getAttribute('aria-current'), null)
  await page.setViewportSize({ width: 1200, height: 900 })
  for (const box of await boxesOf(page.locator('.filters .field'))) assert.ok((box?.width ?? 0) > 200)
  await page.locator('.filters').scrollIntoViewIfNeeded()
  await shoot(page, 'filters of rolls')
  assert.deepEqual(errors, [])
})

test('the selected tab stays in view when the screen is turned', { skip }, async () => {
  const { player, C, signIn, goto } = await newScene()
  const { page, path } = await signIn(player.id)
  await goto(page, `${path}${C}/statistics?of=company`)
  const selected = page.getByRole('tab', { name: 'The company’s', selected: true })
  await selected.waitFor()
  await page.setViewportSize({ width: 360, height: 780 })
  const isInView = async () => {
    const [tab, row] = [await selected.boundingBox(), await page.getByRole('tablist').boundingBox()]
    return Boolean(tab && row && tab.x >= row.x && tab.x + tab.width <= row.x + row.width + 1)
  }
  await waitFor(isInView, true)
})

test('an address at which there is nothing shows that there is no such page', { skip }, async () => {
  const { player, signIn, goto } = await newScene()
  const { page, errors } = await signIn(player.id)
  await goto(page, '/console/nowhere')
  await page.getByRole('heading', { level: 1, name: 'There is no such page' }).waitFor()
  await checkLooks(page, 'no such page')
  assert.deepEqual(errors, [])
})
