import type { BrowserContextOptions, Page } from 'playwright-core'
import { closePage, newScene, type Scene } from './scene.ts'

// npm run pictures      makes the pictures of the console in docs/images again, from the sample table as Robin sees it. Look at every one before you commit it.

const FOLDER = new URL('../../docs/images/', import.meta.url).pathname
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true }

/** Waits until a page has everything, and keeps a picture of it. */
async function shoot(page: Page, name: string): Promise<void> {
  await page.locator('.top-bar .live.live').waitFor()
  // A frame around a field would be all that one sees.
  await page.evaluate('document.activeElement.blur()')
  await page.waitForFunction(
    "!document.querySelector('.loading, [aria-busy=true]') && document.getAnimations().every(({ playState }) => playState !== 'running')",
  )
  await page.screenshot({ path: `${FOLDER}console-${name}.png` })
}

/** The things to do on a page before its picture is made. */
type Prepare = (page: Page, open: (path: string) => Promise<void>) => Promise<void>

async function picture(scene: Scene, name: string, options: BrowserContextOptions, prepare: Prepare): Promise<void> {
  const page = await scene.openAs('Robin', options)
  await prepare(page, async (path) => void (await page.goto(scene.person('Robin').path + path)))
  await shoot(page, name)
  await closePage(page)
}

const scene = await newScene()

await picture(scene, 'table', DESKTOP, async (page, open) => {
  await open('')
  await page.getByRole('textbox', { name: 'Dice or traits' }).fill('7')
  await page.getByText(/^Succeeds about/).waitFor()
})
await picture(scene, 'sheet', DESKTOP, async (page, open) => {
  await open('/characters')
  await page.getByRole('link', { name: /Barnaby Crook/ }).click()
  for (const trait of [/^Stealth/, /^Nerve/]) await page.getByRole('button', { name: trait }).click()
})
await picture(scene, 'dice', DESKTOP, async (page, open) => {
  await open('/dice?notation=4d6kh3')
  await page.getByRole('textbox', { name: 'At least' }).fill('12')
  await page.getByText('12 or more comes up').waitFor()
})
await picture(scene, 'verify', DESKTOP, async (page, open) => {
  await open('/dice/verify')
  await page
    .getByRole('link', { name: /Barnaby Crook/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Reveal the seed now' }).click()
  await page.getByText('The roll holds').waitFor()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
})
await picture(scene, 'chronicle', DESKTOP, (_, open) => open('/chronicle'))
await picture(scene, 'phone', PHONE, (_, open) => open(''))

await scene.close()
