import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach } from 'node:test'
import type { Page } from 'playwright-core'
import { looksOf, violationsOf } from '../../server/test/accessibility.ts'
import { type OpenedPage, waitFor } from '../../server/test/browser.ts'

// Checks that every page of the console must pass. CONSOLE_SHOTS=<folder> keeps a picture of every page that is checked.

/** The pages of the running test. */
const watched: OpenedPage[] = []

// Every story ends with this, whatever else it asserts.
afterEach(async () => {
  for (const { page, errors } of watched.splice(0)) {
    assert.deepEqual(errors, [])
    const kept = page.isClosed() ? '' : String(await page.evaluate(KEPT).catch(() => ''))
    assert.doesNotMatch(kept, SECRET, 'scripts can read a secret')
    // Pages of a test that has ended would go on to follow its campaign.
    await page.context().close()
  }
})

/** Everything that outlives a page and that scripts can read. Pages of other origins, such as a blank one, have none of ours. */
const KEPT = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])'
/** An API key, the code of a link, the secret of a session or a token. */
const SECRET = /gl[a-z]_[0-9A-Za-z]{20}/

const { CONSOLE_SHOTS: shots } = process.env

/** Refusals, and what the browser says of every page over plain HTTP on another host than this machine. */
const EXPECTED =
  /Failed to load resource|^The Cross-Origin-Opener-Policy header has been ignored, because the URL's origin was untrustworthy/

/** Adds to the errors of a page: requests to other origins, and errors that the browser reports. Refusals that a page shows are not among them. */
export function watch(opened: OpenedPage, origin: string): void {
  const { page, errors } = opened
  watched.push(opened)
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) errors.push(`request to ${request.url()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) errors.push(message.text())
  })
}

const WIDE = { width: 1200, height: 900 }
const NARROW = { width: 360, height: 780 }
const WIDEST = { width: 1600, height: 900 }

/** Everything that reaches beyond the edge, when a page scrolls sideways. */
const BEYOND_THE_EDGE = `document.documentElement.scrollWidth <= innerWidth ? [] : [...document.body.querySelectorAll('*')]
  .filter((element) => element.getBoundingClientRect().right > innerWidth)
  .map((element) => element.outerHTML.slice(0, 60) + '…' + element.outerHTML.slice(-60))`

/** Looks at a page in light and dark, wide and narrow: it is accessible, and does not scroll sideways, nor on a very wide screen. It waits until nothing is loading, and for `isThere`. */
export async function checkLooks(page: Page, name: string, isThere?: () => Promise<void>): Promise<void> {
  for (const { colorScheme, size: viewport } of looksOf(WIDE, NARROW, Boolean(shots))) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await waitFor(() => page.locator('.loading').count(), 0)
    await isThere?.()
    const place = `${name}, ${colorScheme}, ${viewport.width} px`
    assert.deepEqual(await violationsOf(page), [], place)
    assert.deepEqual(await page.evaluate(BEYOND_THE_EDGE), [], `${place}: scrolls sideways`)
    await shoot(page, `${name} ${viewport.width} ${colorScheme}`)
  }
  await page.setViewportSize(WIDEST)
  assert.deepEqual(await page.evaluate(BEYOND_THE_EDGE), [], `${name}, ${WIDEST.width} px: scrolls sideways`)
  await page.setViewportSize(WIDE)
}

/** Keeps a picture of the page. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll(/\W+/g, '_')}.png`) })
}
