import assert from 'node:assert/strict'
import type { BrowserContextOptions } from 'playwright-core'
import { type OpenedPage, openPage } from '../../server/test/browser.ts'
import { sessionOf } from '../../server/test/console.ts'
import { newGameTable } from '../../server/test/game-table.ts'
import { ask } from '../../server/test/service.ts'
import { watch } from './checks.ts'
import { service } from './scene.ts'
import { enter, signInWithLink } from './sign-in.ts'

// A company with people, for the pages that administer: Company, Operators and Account.

/** A page of the console, and its errors. */
interface ConsolePage extends OpenedPage {
  /** Goes to a path of the console. */
  open(path: string): Promise<void>
  /** The texts of all replies of the API that the page got. */
  replies: string[]
}

/** Opens a page of the console in a profile of its own. */
async function openConsole(options: BrowserContextOptions = {}): Promise<ConsolePage> {
  const { base } = service
  const opened = await openPage({ viewport: { width: 1200, height: 900 }, ...options })
  watch(opened, base)
  const { page } = opened
  const replies: string[] = []
  page.on('response', async (response) => {
    if (response.url().includes('/api/') && !response.url().includes('/stream')) replies.push(await response.text().catch(() => ''))
  })
  const open = async (path: string) => {
    await page.goto(`${base}/console${path}`)
  }
  return { ...opened, replies, open }
}

/** A page that is signed in with an API key, and has opened nothing yet. */
export async function openWithKey(key: string, options?: BrowserContextOptions): Promise<ConsolePage> {
  const opened = await openConsole(options)
  await enter(opened.page, await sessionOf(key))
  return opened
}

/** Opens the console with the address of a sign-in link. */
export async function openWithLink(link: string): Promise<ConsolePage> {
  const opened = await openConsole()
  await signInWithLink(opened.page, service.base, link)
  return opened
}

/** A game table with requests over the network, and the path of the console for each person. */
export async function newScene() {
  const table = await newGameTable()
  const send = async (method: string, path: string, body?: unknown, headers?: Record<string, string>, key = table.key) => {
    const { status, text, body: reply } = await ask(service, method, `/api/v1${path}`, key, body, headers)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return reply
  }
  const C = `/companies/${table.company_id}`
  const pathAs = (id: string) => `/c/${table.company_id}/as/${id}`
  const linkFor = async (id: string) => (await send('POST', `${C}/users/${id}/sign-in-links`, {})).url as string
  return { ...table, service, send, company: C, pathAs, linkFor }
}
