import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { missingBrowser, type OpenedPage, openPage } from '../../server/test/browser.ts'
import { sessionOf, userSession } from '../../server/test/console.ts'
import { newGameTable } from '../../server/test/game-table.ts'
import { pooler, url } from '../../server/test/harness.ts'
import { ask, type Service, startService } from '../../server/test/service.ts'
import { watch } from './checks.ts'
import { enter } from './sign-in.ts'

// The console in a real browser, on a real service and a real database.

export const env: Record<string, string> = {
  DATABASE_URL: url,
  DATABASE_POOLER: pooler ? 'transaction' : 'none',
  STREAMS_CHECK: '1',
  // The receivers of webhooks in tests are on this machine.
  WEBHOOK_ALLOW: '127.0.0.1',
}

/** The service of a test file, which all its tests share. What is started outside of a test runs until the end of the file. */
export const service: Service = missingBrowser() ? ({ base: '' } as Service) : await startService(env)

/** A page of a person who is signed in, and the errors in it: the list must stay empty. */
export interface SignedIn extends OpenedPage {
  /** The path of the console below which everything of the company and the acting user is. */
  path: string
}

/** A company with a storyteller, players and a campaign, and ways to sign in and to write. */
export async function newScene() {
  const table = await newGameTable()
  const { base, key, company_id } = table

  /** Sends requests as a user, past the browser, as another client would. */
  const writeAs = (id: string) => async (method: string, path: string, body?: unknown) => {
    const { status, text, body: reply } = await ask(service, method, `${base}/users/${id}${path}`, key, body)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return reply
  }

  const pathOf = (id: string) => `/console/c/${company_id}/as/${id}`

  /** A page of a user, who is signed in. */
  const signIn = async (id: string, options: BrowserContextOptions = {}): Promise<SignedIn> => {
    const opened = await openPage({ viewport: { width: 1200, height: 900 }, ...options })
    watch(opened, service.base)
    await enter(opened.page, await userSession(base, id, key))
    return { ...opened, path: pathOf(id) }
  }

  /** A page of the developer who owns the company, who is signed in. */
  const signInAsDeveloper = async (options: BrowserContextOptions = {}): Promise<SignedIn> => {
    const opened = await openPage({ viewport: { width: 1200, height: 900 }, ...options })
    watch(opened, service.base)
    await enter(opened.page, await sessionOf(key))
    return { ...opened, path: '/console' }
  }

  const goto = (page: Page, path: string) => page.goto(service.base + path)
  return { ...table, service, writeAs, pathOf, signIn, signInAsDeveloper, goto }
}
