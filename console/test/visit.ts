import assert from 'node:assert/strict'
import type { BrowserContext } from 'playwright-core'
import { type OpenedPage, openPage } from '../../server/test/browser.ts'
import { type Service, startService } from '../../server/test/service.ts'
import { watch } from './checks.ts'
import { env } from './scene.ts'

// Visits to the console from the first page on, by people who are not signed in yet.

/** Starts another service on the database of the test file, with other settings. */
export const startConsole = (settings: Record<string, string>): Promise<Service> => startService({ ...env, ...settings })

/** A page of the console, and its errors. */
export interface Visit extends OpenedPage {
  context: BrowserContext
  /** Goes to a path of the console. */
  open: (path?: string) => Promise<void>
  /** Fails if a script failed, the policy was violated, or another origin was asked. */
  assertClean: () => void
}

/** Opens a browser of its own at the console: without cookies of other visits. */
export async function visit(base: string, path = '/'): Promise<Visit> {
  const opened = await openPage({ viewport: { width: 1200, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] })
  watch(opened, base)
  const open = async (to = '/') => void (await opened.page.goto(`${base}/console${to}`))
  await open(path)
  return { ...opened, context: opened.page.context(), open, assertClean: () => assert.deepEqual(opened.errors, []) }
}
