import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { after } from 'node:test'
import { inspect, isDeepStrictEqual } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { CHROMIUM, missing } from './third-party.ts'
import { until } from './until.ts'

// A real browser for the tests of pages: Debian's chromium, which playwright-core drives. The test files of a process share one.

/** The reason to skip tests that need a browser, if there is none. */
export const missingBrowser = () => missing(CHROMIUM)

/** A sandbox needs another user than root, and namespaces that containers do not have. /dev/shm is small in containers. Hosts below .test are this machine under another name. */
const FLAGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP *.test 127.0.0.1']

let launched: Promise<Browser> | undefined
const browser = () => (launched ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS }))
after(async () => (await launched)?.close())

/** A page, and everything about it that should not have happened. */
export interface OpenedPage {
  page: Page
  /** Errors that scripts did not catch, and violations of the content security policy. */
  errors: string[]
}

/** Opens a blank page in a profile of its own: without storage or caches of other pages. */
export async function openPage(options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await (await browser()).newContext({ locale: 'en-US', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const errors: string[] = []
  page.on('pageerror', (error) => void errors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) errors.push(message.text())
  })
  return { page, errors }
}

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Serves the files of a folder from an origin of its own, as any web server does. Returns the origin, and the paths that were requested. */
export async function serveFolder(folder: string): Promise<{ origin: string; requested: string[] }> {
  const requested: string[] = []
  const server = createServer(async ({ url = '/' }, reply) => {
    requested.push(url)
    const path = normalize(decodeURIComponent(new URL(url, 'http://files').pathname))
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    const content = await readFile(file).catch(() => undefined)
    reply.writeHead(content ? 200 : 404, { 'content-type': `${TYPES[extname(file)] ?? 'application/octet-stream'}; charset=utf-8` })
    reply.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested }
}

/** Waits until what a page shows is as expected. */
export async function waitFor<T>(read: () => Promise<T>, expected: T, ms = 30_000): Promise<void> {
  let last: T | undefined
  const isExpected = async () => {
    last = await read()
    return isDeepStrictEqual(last, expected)
  }
  await until(isExpected, () => `${inspect(last)} instead of ${inspect(expected)}`, ms / 1000)
}
