/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: names are compared as they are in the source. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const here = new URL('./', import.meta.url).pathname
const read = (file: string) => readFileSync(join(here, file), 'utf8')

/** The check of the looks of every page, by the name that its test gives to `checkLooks` or `checkCharts`. A page that is added needs one. */
const LOOKS: Record<string, string> = {
  '/': 'companies',
  '/setup': 'setup',
  '/c/:company': 'users',
  '/operators/*': "operators${path.replace(owner.id, '')}",
  '/account': 'account',
  'COMPANY/': 'campaigns',
  'COMPANY/company/*': "company${path.replace(player.id, '')}",
  'COMPANY/notebook': 'the notebook',
  'CAMPAIGN/': 'Table of a ${name}',
  'CAMPAIGN/characters': 'sheets',
  'CAMPAIGN/characters/generate': 'generate preview',
  'CAMPAIGN/characters/creations/:creation': 'creation choose',
  'CAMPAIGN/characters/:character': 'sheet ${tab}',
  'CAMPAIGN/dice': 'dice 1',
  'CAMPAIGN/dice/verify': 'verify 3',
  'CAMPAIGN/dice/verify/:roll': 'verify 1',
  'CAMPAIGN/statistics': 'statistics 1',
  'CAMPAIGN/chronicle': 'the chronicle',
  'CAMPAIGN/chronicle/books/:book': 'a book',
  'CAMPAIGN/chronicle/books/:book/chapters/:chapter': 'a chapter',
  'CAMPAIGN/rules': 'rules',
  'CAMPAIGN/ledger': 'the ledger',
}

const patterns = [
  ...read('../src/routes.tsx').matchAll(/pattern: (?:`\$\{(COMPANY|CAMPAIGN)\}([^`]*)`|'([^']+)'|(COMPANY|CAMPAIGN)\b)/g),
].map(([, base = '', rest = '', path = '', alone = '']) => (alone ? `${alone}/` : path || base + rest))
const checks = new Set(
  readdirSync(here)
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((name) => [...read(name).matchAll(/check(?:Looks|Charts)\(\w+(?:\.page)?, (['`])(.+?)\1[,)]/g)].map(([, , check]) => check)),
)

test('the looks of every page are checked, in light and dark, on wide and small screens', () => {
  assert.deepEqual(patterns.sort(), Object.keys(LOOKS).sort())
  for (const [pattern, name] of Object.entries(LOOKS)) assert.ok(checks.has(name), `${pattern}: no test checks “${name}”`)
})

test('the looks of every tab of the administration are checked', () => {
  for (const page of ['company', 'operators']) {
    const [, tabs = ''] = /\n {2}tabs: \{([^}]+)\}/.exec(read(`../src/pages/${page}/text.ts`)) ?? []
    const [first, ...others] = [...tabs.matchAll(/(\w+): '/g)].map(([, name]) => name as string)
    assert.ok(first && others.length > 1, page)
    const tests = read(`${page}.test.ts`)
    for (const tab of others) assert.ok(checks.has(tab) || tests.includes(`['/${tab}', `), `${page}/${tab}`)
  }
})
