import { type BrowserContextOptions, type Cookie, chromium, type Page } from 'playwright-core'
import { Guildhall } from '../../client/src/index.ts'
import { makeSampleTable, type SampleTable } from '../../server/src/cli/sample-table.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { CHROMIUM } from '../../server/test/third-party.ts'
import { database, service, stop } from '../parts.ts'
import { newDevelopers } from '../seed.ts'

// The console with the sample table, and browsers in which its people are signed in.

const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']

export interface Scene {
  base: string
  /** The client of the developer who owns the company. */
  gh: Guildhall
  /** The API key of the developer. */
  key: string
  table: SampleTable
  /** The path of the console below which everything of a person is, and its id. */
  person: (name: string) => { id: string; path: string }
  /** Opens a page in a browser profile of its own, with an empty cache, in which the person is signed in. The policy of the page would refuse what is evaluated in it. */
  openAs: (name: string, options?: BrowserContextOptions) => Promise<Page>
  close: () => Promise<void>
}

export async function newScene(): Promise<Scene> {
  const db = await database()
  await migrate(db.url)
  const { port, child } = await service(db.url)
  const base = `http://127.0.0.1:${port}`
  const { key } = (await newDevelopers(db.url)).owner
  const table = await makeSampleTable(base, key)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  const cookies = new Map<string, Cookie[]>()

  const personOf = (name: string) => {
    const found = table.people.find((each) => each.name === name)
    if (!found) throw new Error(`${name} is not at the sample table.`)
    return found
  }

  /** Signs in with the link of a person, which works once. */
  async function cookiesOf(name: string, url: string) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    cookies.set(name, await context.cookies())
    await context.close()
  }

  return {
    base,
    gh: new Guildhall({ baseUrl: base, apiKey: key }),
    key,
    table,
    person: (name) => {
      const { user_id } = personOf(name)
      return { id: user_id, path: `${base}/console/c/${table.company_id}/as/${user_id}/campaigns/${table.campaign_id}` }
    },
    openAs: async (name, options) => {
      const { url } = personOf(name)
      if (!cookies.has(name)) await cookiesOf(name, url as string)
      const context = await browser.newContext({ locale: 'en-US', bypassCSP: true, ...options })
      await context.addCookies(cookies.get(name) ?? [])
      return context.newPage()
    },
    close: async () => {
      await browser.close()
      await stop(child)
      await db.stop()
    },
  }
}

/** Closes a page with its browser profile. */
export const closePage = (page: Page): Promise<void> => page.context().close()
