import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/**
 * Finds everything on a page that would stop a reader who uses a screen reader, a keyboard or strong contrast. A page in dark colors differs in
 * nothing else, so once it was examined in light ones, its contrast is enough.
 */
export async function violationsOf(page: Page, colorScheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  // Only a rule about sound that plays by itself, which no page has, and an experimental one need what is preloaded: it takes a third of the time.
  const options = { resultTypes: ['violations'], preload: false, ...(colorScheme === 'dark' && { runOnly: ['color-contrast'] }) }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as { violations: Violation[] }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
}
