import assert from 'node:assert/strict'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newScene, openWithKey, openWithLink } from './administration.ts'
import { checkLooks } from './checks.ts'
import { tabTo } from './keyboard.ts'

const skip = missingBrowser()

/** A company with a copy of a pack and a draft of its next version, and the paths of both. */
async function newRules(change: (document: Record<string, unknown>) => object = (document) => document) {
  const scene = await newScene()
  const { send, company, teller, pathAs } = scene
  const { id } = await send('POST', `${company}/rulesets`, { pack: 'd10-pool' })
  const { document } = await send('GET', `${company}/packs/d10-pool`)
  const draft = await send('POST', `${company}/rulesets/${id}/versions`, { document: change(document as Record<string, unknown>) })
  const list = `${pathAs(teller.id)}/company/rulesets`
  return { ...scene, id, draftId: draft.id as string, document, list, ruleset: `${list}/${id}`, editor: `${list}/${id}/${draft.id}` }
}

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const sourceOf = (page: Page) => page.getByRole('textbox', { name: 'Document' })
const check = (page: Page) => page.getByRole('region', { name: 'Check' })
const sheetOf = (page: Page) => page.getByRole('region', { name: 'Sheet' })

/** Replaces a part of the document, as somebody does who types. */
async function replace(page: Page, before: string, after: string): Promise<void> {
  const source = await sourceOf(page).inputValue()
  assert.ok(source.includes(before), before)
  await sourceOf(page).fill(source.replace(before, after))
}

/** The text that is selected in a field. */
const selected = (field: Locator) =>
  field.evaluate((element) => {
    const { value, selectionStart, selectionEnd } = element as unknown as { value: string; selectionStart: number; selectionEnd: number }
    return value.slice(selectionStart, selectionEnd)
  })

test('a storyteller copies a pack, starts the next version, exports, renames, archives and restores it', { skip }, async () => {
  const { teller, linkFor } = await newScene()
  const { page, errors } = await openWithLink(await linkFor(teller.id))
  await page.getByRole('link', { name: 'Company', exact: true }).first().click()
  await page.getByRole('tab', { name: 'Rulesets' }).click()
  await page.getByText('There is no ruleset yet').waitFor()
  await page.getByRole('button', { name: 'Add a ruleset' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Add a ruleset' }).click()
  await dialog.getByText('Choose a game.').waitFor()
  await dialog.getByText('by Wizards of the Coast LLC').waitFor()
  await dialog.getByLabel('Fate Core').check()
  await dialog.getByRole('button', { name: 'Add a ruleset' }).click()

  await title(page, 'Fate Core').waitFor()
  const version = page.getByRole('listitem').filter({ hasText: 'Version 1' })
  await version.getByRole('link', { name: 'CC-BY-3.0' }).waitFor()
  await version.getByText('products of Evil Hat Productions').waitFor()
  const download = page.waitForEvent('download')
  await version.getByRole('button', { name: 'Export Version 1' }).click()
  assert.equal((await download).suggestedFilename(), 'fate-core.json')
  const exported = (await json(await (await download).createReadStream())) as { source: { license: string } }
  assert.equal(exported.source.license, 'CC-BY-3.0')
  await page.getByRole('button', { name: 'Start a new draft' }).click()
  await title(page, 'Fate Core: Draft').waitFor()
  assert.deepEqual(JSON.parse(await sourceOf(page).inputValue()), exported)

  await page.getByRole('link', { name: 'Fate Core', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the draft' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start a new draft' }).waitFor()
  await page.getByRole('button', { name: 'Retire Version 1' }).click()
  await dialog.getByRole('button', { name: 'Retire' }).click()
  await version.getByText('Retired', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Fate at our table')
  await page.getByRole('button', { name: 'Save' }).click()
  await title(page, 'Fate at our table').waitFor()
  await page.getByRole('link', { name: /All rulesets/ }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Fate at our table' })
  await row.getByText('Not published').waitFor()
  await row.getByRole('link').click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('There is no ruleset yet').waitFor()
  await page.getByRole('tab', { name: 'Archived' }).click()
  await page.getByRole('button', { name: 'Restore Fate at our table' }).click()
  await page.getByText('No ruleset is archived.').waitFor()
  assert.deepEqual(errors, [])
})

test('a list has the version, the license and the draft of each ruleset', { skip }, async () => {
  const { key, list, send, company } = await newRules()
  await send('POST', `${company}/rulesets`, { pack: 'srd-5.2', name: 'Fifth edition' })
  const { page, open } = await openWithKey(key)
  await open(list)
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const shown = async (name: string) => ((await row(name).textContent()) ?? '').replace(/\s+/g, ' ')
  await row('Fifth edition').getByText('License CC-BY-4.0').waitFor()
  await row('Neutral d10 pool').getByText('License CC0-1.0').waitFor()
  assert.match(await shown('Fifth edition'), /Version 1/)
  assert.doesNotMatch(await shown('Fifth edition'), /Draft/)
  assert.match(await shown('Neutral d10 pool'), /Version 1 ?Draft/)
})

test('a ruleset begins with a document that works, or with one from the clipboard or a file', { skip }, async () => {
  const { key, list } = await newRules()
  const { page, open, errors } = await openWithKey(key)
  const dialog = page.getByRole('dialog')
  const add = async (way: string) => {
    await open(list)
    await page.getByRole('button', { name: 'Add a ruleset' }).click()
    await dialog.getByLabel(way, { exact: true }).check()
  }
  await add('An empty sheet')
  await dialog.getByLabel('Name').fill('Lanterns')
  await dialog.getByRole('button', { name: 'Add a ruleset' }).click()
  await title(page, 'Lanterns: Draft').waitFor()
  await check(page).getByText('No faults: it can be published.').waitFor()
  await check(page).getByText('holds', { exact: true }).waitFor()

  await add('A document')
  await dialog.getByLabel('Document', { exact: true }).fill('{\n  "name": "Crows",\n}')
  await dialog.getByRole('button', { name: 'Add a ruleset' }).click()
  await dialog.getByText(/^Line 3, column 1: A name in double quotes is missing/).waitFor()
  const file = { name: 'crows.json', mimeType: 'application/json', buffer: Buffer.from('{"name": "Crows", "format": 1}') }
  await dialog.getByLabel('File').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Add a ruleset' }).click()
  await title(page, 'Crows: Draft').waitFor()
  await check(page).getByRole('button', { name: 'Go to groups' }).waitFor()
  await page.getByText('The sheet appears once the document has no fault.').waitFor()
  assert.deepEqual(errors, [])
})

test('a typo in a formula is shown with the name that was meant, and the corrected draft is published', { skip }, async () => {
  const { key, editor, send, company, id } = await newRules()
  const { page, open, errors } = await openWithKey(key)
  await open(editor)
  await check(page).getByText('No faults: it can be published.').waitFor()
  await replace(page, '"focus + poise"', '"focus + posie"')
  await check(page)
    .getByText(/did you mean poise\?/)
    .waitFor()
  await sheetOf(page).getByText('This is the last document that had no fault.').waitFor()
  await check(page).getByRole('button', { name: 'Go to derived.resolve.formula' }).click()
  assert.equal(await selected(sourceOf(page)), '"focus + posie"')

  // The service refuses a draft with faults, and the page says why.
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('alert').getByText('did you mean poise?').waitFor()
  await replace(page, 'posie', 'poise')
  await check(page).getByText('No faults: it can be published.').waitFor()
  await waitFor(() => page.getByRole('alert').count(), 0)

  await replace(page, '"skills": { "label": "Skills", "min": 0, "max": 5 }', '"skills": { "label": "Skills", "min": 0, "max": 4 }')
  await check(page).getByText('Changes since version 1').waitFor()
  await check(page).getByRole('button', { name: 'Go to traits.lore.max' }).waitFor()
  await page.getByRole('button', { name: 'Publish' }).click()
  await page
    .getByRole('dialog')
    .getByText(/12 changes break with the newest version/)
    .waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await title(page, /^Neutral d10 pool$/).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Version 2' }).getByText('Published', { exact: true }).waitFor()
  const { versions } = await send('GET', `${company}/rulesets/${id}`)
  assert.equal(versions, 2)
  assert.deepEqual(errors, [])
})

/** The checks that a page has sent, in their order, by its own clock. */
const CHECKS = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/rulesets/validate')).map((entry) => entry.toJSON())
  .toSorted((a, b) => a.startTime - b.startTime)`

test('what is no JSON is shown with its line and column, and is not sent', { skip }, async () => {
  const { key, editor } = await newRules()
  const { page, open } = await openWithKey(key)
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/rulesets/validate')) sent++
  })
  await open(editor)
  await check(page).getByText('No faults: it can be published.').waitFor()
  const before = sent
  await sourceOf(page).fill('{\n  "format": 1,\n  "format": 2 }')
  await check(page).getByText('This is not JSON yet.').waitFor()
  await check(page).getByText('“format” is there twice.').waitFor()
  await check(page).getByRole('button', { name: 'Line 3, column 3' }).click()
  await page.keyboard.type('X')
  await waitFor(() => sourceOf(page).inputValue(), '{\n  "format": 1,\n  X"format": 2 }')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/This is not JSON, so it cannot be saved. Line 3, column 3/).waitFor()
  assert.equal(sent, before, 'nothing is sent that is no JSON')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await check(page).getByText('No faults: it can be published.').waitFor()
  await sourceOf(page).press('Control+End')
  for (let i = 0; i < 20; i++) await page.keyboard.type(' ')
  await waitFor(() => check(page).getByText('No faults: it can be published.').count(), 1)
  assert.ok(sent - before < 10, `${sent - before} checks for 20 keys`)
  const checks = (await page.evaluate(CHECKS)) as { startTime: number; responseEnd: number }[]
  for (const [i, { responseEnd }] of checks.slice(0, -1).entries())
    assert.ok(responseEnd <= (checks[i + 1]?.startTime ?? 0), 'one check at a time')
})

test('values that are changed on the sheet change what follows from them', { skip }, async () => {
  const { key, editor } = await newRules()
  const { page, open, errors } = await openWithKey(key)
  await open(editor)
  const sheet = sheetOf(page)
  const derived = (label: string) => sheet.getByRole('listitem').filter({ hasText: label }).locator('strong')
  await waitFor(() => derived('Resolve').textContent(), '2')
  assert.deepEqual(await sheet.getByRole('heading', { level: 3 }).allTextContents(), [
    'Rolls',
    'Choices',
    'Attributes',
    'Skills',
    'Edges',
    'Burdens',
    'Derived values',
    'Trackers',
    'Conditions',
  ])
  await waitFor(() => sheet.getByRole('button', { name: 'Test' }).isDisabled(), true)
  // With the keyboard, and with the mouse on the fourth of five dots.
  await tabTo(sheet.getByLabel('Focus'))
  await page.keyboard.press('ArrowRight')
  await waitFor(() => derived('Resolve').textContent(), '3')
  const dots = sheet.getByRole('listitem').filter({ hasText: 'Poise' }).locator('.scale-marks')
  const { width } = (await dots.boundingBox()) as { width: number }
  await dots.click({ position: { x: width * 0.7, y: 10 } })
  await waitFor(() => derived('Resolve').textContent(), '6')
  await sheet.getByLabel('Nerve').fill('2')
  await sheet.getByText('Concept: must be chosen').waitFor()
  await sheet.getByLabel('Concept').selectOption('soldier')
  await sheet.getByText('Concept: must be chosen').waitFor({ state: 'detached' })
  await sheet.getByRole('button', { name: 'Reset' }).click()
  await waitFor(() => derived('Resolve').textContent(), '2')
  assert.deepEqual(errors, [])
})

test('somebody else who saves the draft loses nothing, and neither does the other', { skip }, async () => {
  const { key, editor, send, company, id, draftId, document, list } = await newRules()
  const path = `${company}/rulesets/${id}/versions/${draftId}`
  const { page, open, errors } = await openWithKey(key)
  await open(editor)
  await check(page).getByText('No faults: it can be published.').waitFor()
  await replace(page, '"Neutral d10 pool"', '"Mine"')
  await page.getByText('Not saved').waitFor()
  await sourceOf(page).press('Control+s')
  await page.getByText('Not saved').waitFor({ state: 'detached' })
  assert.equal((await send('GET', path)).game, 'Mine')

  // A text that is not saved is still there after a look at another page.
  await replace(page, '"Mine"', '"Mine again"')
  await page.getByRole('link', { name: 'Company · Rulesets' }).click()
  await page.getByText('License CC0-1.0').waitFor()
  assert.match(page.url(), new RegExp(`${list}$`))
  await page.goBack()
  await page.getByText('Not saved').waitFor()
  assert.match(await sourceOf(page).inputValue(), /"Mine again"/)

  await send('PUT', path, { document: { ...(document as object), name: 'Theirs' } })
  const conflict = page.getByRole('alert', { name: 'Someone else saved this draft in the meantime' })
  await conflict.waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.toast.problem', { hasText: 'Someone else saved this draft in the meantime' }).waitFor()
  assert.equal((await send('GET', path)).game, 'Theirs')
  await conflict.getByRole('button', { name: 'Save mine over it' }).click()
  await page.getByText('Not saved').waitFor({ state: 'detached' })
  await waitFor(() => conflict.count(), 0)
  assert.equal((await send('GET', path)).game, 'Mine again')
  await send('PUT', path, { document: { ...(document as object), name: 'Theirs' } })
  await waitFor(async () => (await sourceOf(page).inputValue()).includes('"Theirs"'), true)
  await waitFor(() => page.getByText('Not saved').count(), 0)
  assert.deepEqual(errors, [])
})

test('a player reads rulesets, and has no button that writes', { skip }, async () => {
  const { player, linkFor, pathAs, id, draftId, service } = await newRules()
  const { page, errors } = await openWithLink(await linkFor(player.id))
  const go = (path: string) => page.goto(`${service.base}/console${pathAs(player.id)}/company/rulesets${path}`)
  const buttons = async () => (await page.locator('main').getByRole('button').allTextContents()).sort()
  await go('')
  await page.getByText('License CC0-1.0').waitFor()
  assert.deepEqual(await buttons(), [])
  await go(`/${id}`)
  await page.getByRole('link', { name: 'Version 1' }).waitFor()
  assert.deepEqual(await buttons(), ['Export', 'Export'])
  assert.equal(await page.getByLabel('Name').count(), 0)
  await go(`/${id}/${draftId}`)
  await sheetOf(page).getByLabel('Focus').waitFor()
  assert.deepEqual(
    (await buttons()).filter((name) => /save|publish|discard/i.test(name)),
    [],
  )
  assert.equal(await sourceOf(page).isEditable(), false)
  await sheetOf(page).getByLabel('Focus').fill('5')
  await waitFor(() => sheetOf(page).getByRole('listitem').filter({ hasText: 'Resolve' }).locator('strong').textContent(), '6')
  assert.deepEqual(errors, [])
})

test('the pages are accessible, in both color schemes, on wide and small screens', { skip }, async () => {
  const { key, list, ruleset, editor, send, company } = await newRules((document) => ({
    ...document,
    derived: { ...(document.derived as object), bravery: { formula: 'nerv + 1' } },
  }))
  await send('POST', `${company}/rulesets`, {
    pack: 'srd-5.2',
    name: 'The fifth edition of a game with a very long name',
    description: 'For the table on Thursdays',
  })
  const own = await send('POST', `${company}/rulesets`, { pack: 'fate-core' })
  const { document } = await send('GET', `${company}/packs/srd-5.2`)
  const big = await send('POST', `${company}/rulesets/${own.id}/versions`, { document })
  const { page, errors, open } = await openWithKey(key)
  await open(list)
  await checkLooks(page, 'rulesets', () => page.getByText('License CC-BY-4.0').waitFor())
  await page.getByRole('button', { name: 'Add a ruleset' }).click()
  await page.getByLabel('Fate Core').check()
  await checkLooks(page, 'rulesets add', () => page.getByLabel('Fate Core').waitFor())
  await open(ruleset)
  await checkLooks(page, 'ruleset', () => page.getByText('Has faults').waitFor())
  await open(`${list}/${own.id}`)
  await checkLooks(page, 'ruleset attribution', () => page.getByText('Evil Hat').waitFor())
  await open(editor)
  await checkLooks(page, 'ruleset editor faults', () =>
    check(page)
      .getByText(/did you mean nerve/)
      .waitFor(),
  )
  await open(`${list}/${own.id}/${big.id}`)
  await checkLooks(page, 'ruleset editor', () => check(page).getByText('Changes since version 1').waitFor())
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('tab', { name: 'Sheet' }).click()
  await checkLooks(page, 'ruleset sheet', () => sheetOf(page).getByLabel('Class').waitFor())
  assert.deepEqual(errors, [])
})
