import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { randomOf } from './random.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

const random = randomOf()

/**
 * The looks to examine a page in: wide and narrow, light and dark. An examination takes long, so a run draws the two pairs in which each of these
 * occurs once; the proof, and whoever keeps pictures, has all four.
 */
export function looksOf<Size>(wide: Size, narrow: Size, all = false): { size: Size; colorScheme: 'light' | 'dark' }[] {
  const [first, second] = [
    [
      { size: wide, colorScheme: 'light' as const },
      { size: narrow, colorScheme: 'dark' as const },
    ],
    [
      { size: wide, colorScheme: 'dark' as const },
      { size: narrow, colorScheme: 'light' as const },
    ],
  ]
  return all || process.env.TEST_EVERYTHING ? [...first, ...second] : random.pick([first, second])
}

/** Finds everything on a page that would stop a reader who uses a screen reader, a keyboard or strong contrast. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  // Only a rule about sound that plays by itself, which no page has, and an experimental one need what is preloaded: it takes a third of the time.
  const options = { resultTypes: ['violations'], preload: false }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as { violations: Violation[] }
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
}
