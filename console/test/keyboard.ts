import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { waitFor } from '../../server/test/browser.ts'

/** True if an element shows that it has the focus: by an outline of its own, or of the label or the card around it. */
const showsFocus = (target: Locator) =>
  target.evaluate((element) => {
    const { getComputedStyle } = element.ownerDocument.defaultView
    const around = [element, ...(element.labels ?? []), element.nextElementSibling, element.parentElement].filter(Boolean)
    const styles = [getComputedStyle(element, '::after'), ...around.map((each) => getComputedStyle(each))]
    return styles.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2)
  })

/** Presses Tab until an element has the focus, as a person without a mouse does, who must see where it is. */
export async function tabTo(target: Locator, maxPresses = 120): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) {
      assert.ok(await showsFocus(target), `${target} does not show that it has the focus`)
      return
    }
    await target.page().keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${target}`)
}

/** Closes a dialog with Escape, and waits until the focus is where it was before the dialog opened. */
export async function escapeTo(page: Page, opener: Locator): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitFor(() => opener.evaluate((element) => element === element.ownerDocument.activeElement), true)
}
