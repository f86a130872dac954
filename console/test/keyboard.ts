import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'

/** Presses Tab until an element has the focus, as a person without a mouse does. */
export async function tabTo(target: Locator, maxPresses = 120): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < maxPresses; presses++) {
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await target.page().keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${target}`)
}
