import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { targetOf } from '../src/search/targets.ts'
import { checkLooks } from './checks.ts'
import { newDesk } from './desk.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

test('every kind of hit leads to its page', () => {
  const [own, api] = ['/c/1/as/2', '/api/v1/companies/1/users/2']
  const cases: [type: string, path: string, target: string][] = [
    ['campaign', '/campaigns/3', '/campaigns/3'],
    ['character', '/campaigns/3/characters/4', '/campaigns/3/characters/4'],
    ['item', '/campaigns/3/characters/4/inventory/9', '/campaigns/3/characters/4?tab=inventory'],
    ['book', '/campaigns/3/books/5', '/campaigns/3/chronicle/books/5'],
    ['chapter', '/campaigns/3/books/5/chapters/6', '/campaigns/3/chronicle/books/5/chapters/6'],
    ['note', '/campaigns/3/notes/9', '/campaigns/3/chronicle?note=9'],
    ['note', '/campaigns/3/books/5/notes/9', '/campaigns/3/chronicle/books/5?note=9'],
    ['note', '/campaigns/3/books/5/chapters/6/notes/9', '/campaigns/3/chronicle/books/5/chapters/6?note=9'],
    ['note', '/campaigns/3/characters/4/notes/9', '/campaigns/3/characters/4?tab=notes&note=9'],
    ['note', '/notes/9', '/notebook?note=9'],
  ]
  for (const [type, path, target] of cases) assert.equal(targetOf({ type, id: '9', path: api + path }, own), own + target)
})

test('the search finds what the user may see, and opens it by keyboard', { skip }, async () => {
  const { teller, player, C, visit } = await newDesk()
  const book = await teller.make(`${C}/books`, { name: 'The drowned bell' })
  const chapter = await teller.make(`${C}/books/${book}/chapters`, { name: 'Low water', description: 'The **bell** was warm.' })
  await teller.make(`${C}/notes`, { title: 'The bell is a trap', visibility: 'STORYTELLER' })
  const note = await player.make('/notes', { title: 'Thoughts', body: 'Who rang the bell?' })
  const { page, open, errors } = await visit(player)
  await open('/ledger')
  await page.keyboard.press('/')
  const field = page.getByLabel('Search for')
  await field.waitFor()
  await page.keyboard.type('be')
  await page.getByText('Only names that begin with this are found.').waitFor()
  // Only the last text is searched for; requests that are no longer wanted are given up.
  const asked: string[] = []
  page.on('request', (request) => {
    const q = new URL(request.url()).searchParams.get('q')
    if (q) asked.push(q)
  })
  await page.keyboard.type('ll')
  const hits = () => page.locator('.search-hit strong').allTextContents()
  await waitFor(hits, ['The drowned bell', 'Low water', 'Thoughts'])
  assert.ok(!asked.includes('bel') || asked.at(-1) === 'bell', asked.join())
  await waitFor(() => page.locator('.results h2').allTextContents(), ['Books', 'Chapters', 'Notes'])
  await waitFor(() => page.locator('.search-hit', { hasText: 'Low water' }).locator('span').textContent(), 'The bell was warm.')
  assert.ok(!(await page.content()).includes('trap'))
  await checkLooks(page, 'the search')

  await field.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Low water', level: 1 }).waitFor()
  assert.ok(page.url().endsWith(`/chronicle/books/${book}/chapters/${chapter}`))
  await waitFor(() => page.getByRole('dialog').count(), 0)
  // Enter in the field opens the best match. A note opens where it belongs.
  await page.keyboard.press('/')
  await field.waitFor()
  await page.keyboard.type('Thoughts')
  await waitFor(hits, ['Thoughts'])
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('Who rang the bell?').waitFor()
  assert.ok(page.url().endsWith(`/notebook?note=${note}`))
  // In a dialog, a slash is only a slash.
  await page.keyboard.press('/')
  assert.equal(await field.count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The notebook is written with the keyboard, too.
  await tabTo(page.getByRole('button', { name: 'Write a note' }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Low water at three')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Low water at three' }).waitFor()

  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Search, key /' }).click()
  await field.fill('zzzz')
  await page.getByText('Nothing matches “zzzz”.').waitFor()
  const box = await page.getByRole('dialog').boundingBox()
  assert.deepEqual(box && [box.x, box.y, box.width, box.height], [0, 0, 360, 740], 'it fills the screen of a phone')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.deepEqual(errors, [])
})
