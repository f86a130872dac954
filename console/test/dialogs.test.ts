import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { shoot } from './checks.ts'
import { openSheet } from './sheet-scene.ts'

// Things that all dialogs have in common.

const skip = missingBrowser()
const PHONE = { width: 360, height: 780 }

/** The label of the field that has the focus. */
const focusedField = (page: Page) => () => page.evaluate('document.activeElement.labels?.[0]?.textContent')

test('the buttons of a long dialog are in view on a phone', { skip }, async () => {
  const { page } = await openSheet()
  await page.setViewportSize(PHONE)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Biography').waitFor()
  assert.ok(await dialog.evaluate((element) => element.scrollHeight > element.clientHeight), 'the dialog is higher than the screen')
  const save = await dialog.getByRole('button', { name: 'Save' }).boundingBox()
  assert.ok(save && save.y + save.height < PHONE.height, JSON.stringify(save))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await shoot(page, `long dialog ${colorScheme}`)
  }
  // A field that the keyboard reaches is not below the buttons.
  await dialog.getByLabel('Biography').focus()
  const field = await dialog.getByLabel('Who sees the sheet').boundingBox()
  assert.ok(field && field.y + field.height <= save.y)
})

test('a dialog begins in its first field', { skip }, async () => {
  const { page, goto, path } = await openSheet({ brawl: 3, occult: 1 })
  await page.getByRole('button', { name: 'Edit traits' }).click()
  await waitFor(focusedField(page), 'Brawl')
  await page.keyboard.press('Escape')
  await goto(page, path)
  await page.getByRole('button', { name: 'New campaign' }).click()
  await waitFor(focusedField(page), 'Name')
})

test('the backdrop of a dialog reaches the edge of the window', { skip }, async () => {
  const { page, goto, path } = await openSheet()
  await goto(page, path)
  await page.getByRole('button', { name: 'New campaign' }).click()
  await page.getByRole('dialog').waitFor()
  const pixelAt = async (x: number) => (await page.screenshot({ clip: { x, y: 800, width: 1, height: 1 } })).toString('base64')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.equal(await pixelAt(1198), await pixelAt(1170), colorScheme)
    await shoot(page, `backdrop ${colorScheme}`)
  }
})
