import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { missingBrowser } from '../../server/test/browser.ts'
import { newScene, openWithLink } from './administration.ts'
import { openCharacters, stepTitle } from './creation-scene.ts'
import { escapeTo, tabTo } from './keyboard.ts'
import { newRuledScene, openRuledSheet } from './ruled-scene.ts'

// Everything that belongs to rulesets, without a mouse.

const skip = missingBrowser()

/** Goes to a control and presses it. */
async function enter(target: Locator): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press('Enter')
}
const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true })
/** Goes to a list of options, and chooses the next one. */
async function chooseNext(select: Locator): Promise<void> {
  await tabTo(select)
  await select.page().keyboard.press('ArrowDown')
}

test('the keyboard is enough to add a ruleset, to edit its next version and to publish it', { skip }, async () => {
  const { teller, linkFor } = await newScene()
  const { page } = await openWithLink(await linkFor(teller.id))
  await enter(page.getByRole('link', { name: 'Company', exact: true }).first())
  await tabTo(page.getByRole('tab', { name: 'Users' }))
  await page.keyboard.press('ArrowRight')
  await page.getByText('There is no ruleset yet').waitFor()
  await enter(button(page, 'Add a ruleset').first())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Fate Core').waitFor()
  await tabTo(dialog.getByRole('group', { name: 'Games' }).getByRole('radio').first())
  for (let presses = 0; presses < 20 && !(await dialog.getByLabel('Fate Core').isChecked()); presses++)
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Fate Core' }).waitFor()

  await enter(button(page, 'Start a new draft'))
  await page.getByRole('heading', { level: 1, name: 'Fate Core: Draft' }).waitFor()
  await page.getByText('No faults: it can be published.').waitFor()
  await tabTo(page.getByRole('textbox', { name: 'Document' }))
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(' ')
  await enter(button(page, 'Publish'))
  await enter(button(dialog, 'Publish'))
  await page.getByRole('listitem').filter({ hasText: 'Version 2' }).getByText('Published', { exact: true }).waitFor()
})

test('the keyboard is enough to choose the ruleset of a campaign, and to generate NPCs by it', { skip }, async () => {
  const { teller, C, signIn, goto } = await newRuledScene()
  const { page, path } = await signIn(teller.id)
  await goto(page, `${path}${C}/rules`)
  await enter(button(page, 'Choose a ruleset'))
  const dialog = page.getByRole('dialog')
  await chooseNext(dialog.getByLabel('Ruleset', { exact: true }))
  await enter(button(dialog, 'Play by it'))
  await page.getByRole('region', { name: 'Neutral d10 pool' }).waitFor()

  await enter(page.getByRole('link', { name: 'Sheets', exact: true }).first())
  await enter(page.getByRole('link', { name: 'Generate NPCs' }))
  await enter(button(page, 'Preview'))
  await page.getByRole('region', { name: 'Preview' }).waitFor()
  await enter(button(page, 'Create NPCs'))
  await page.getByRole('region', { name: 'Created' }).waitFor()
})

test('the keyboard is enough to create a character step by step', { skip }, async () => {
  const { page } = await openCharacters()
  await enter(button(page, 'New character').first())
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Step by step').waitFor()
  await enter(button(dialog, 'Start'))
  await stepTitle(page, 'Who are you?').waitFor()
  await tabTo(page.getByRole('radio').first())
  await page.keyboard.press('Space')
  await enter(button(page, 'Next'))
  await stepTitle(page, 'Attributes: rank body, mind and bearing').waitFor()
  await enter(page.getByRole('link', { name: /^Step 5/ }))
  await enter(button(page, 'Surprise me with the rest'))
  await tabTo(page.getByLabel('Name'))
  await page.keyboard.type('Mina Harker')
  await enter(button(page, 'Create the character'))
  await page.getByRole('heading', { name: 'Mina Harker', level: 1 }).waitFor()
})

test('the keyboard is enough to make a roll of the ruleset', { skip }, async () => {
  const traits = { might: 3, fighting: 2, focus: 2, poise: 2 }
  const { page, play } = await openRuledSheet({ hero: { traits, choices: { concept: 'soldier' } } })
  await enter(button(page, 'Test'))
  const dialog = page.getByRole('dialog', { name: 'Test' })
  await chooseNext(dialog.getByLabel('Attribute'))
  await chooseNext(dialog.getByLabel('Skill'))
  await tabTo(dialog.getByLabel('What for'))
  await page.keyboard.type('Through the window')
  await page.keyboard.press('Enter')
  await dialog.getByRole('status').locator('.roll').waitFor()
  await escapeTo(page, button(page, 'Test'))
  const { items } = (await play('GET', '/dice-rolls')) as unknown as { items: { comment: string }[] }
  assert.deepEqual(
    items.map(({ comment }) => comment),
    ['Through the window'],
  )
})
