import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { checkLooks } from './checks.ts'
import { next, openCharacters, press, setDots, sheetSoFar, start, stepTitle, valueOnSheet } from './creation-scene.ts'
import { tabTo } from './keyboard.ts'
import { newScene } from './scene.ts'

const skip = missingBrowser()

test('a player creates a character of the d10 pool, step by step', { skip }, async () => {
  const { page, errors, player, C, play } = await openCharacters()
  await start(page)
  await stepTitle(page, 'Who are you?').waitFor()
  await page.getByText('Step 1 of 5').waitFor()
  await next(page)
  await page.getByRole('alert').getByText('Choose one.').waitFor()
  await page.getByText('Good with Fighting, Shooting').waitFor()
  await page.getByLabel(/^Soldier/).check()
  await waitFor(() => page.getByRole('alert').count(), 0)
  await checkLooks(page, 'creation choose', () => stepTitle(page, 'Who are you?').waitFor())
  await next(page)

  // The service says which dots are missing, and the groups which of them have some left.
  await stepTitle(page, 'Attributes: rank body, mind and bearing').waitFor()
  await waitFor(() => page.evaluate('document.activeElement.textContent'), 'Attributes: rank body, mind and bearing')
  await next(page)
  await page
    .getByRole('alert')
    .getByText(/^Must be 6, 4, 3 dots in the groups, in any order, and is 0, 0, 0\.$/)
    .waitFor()
  const rank = (name: string) => page.locator('.rank').filter({ has: page.getByRole('heading', { name, exact: true }) })
  await rank('Body').getByText('6 of 6 dots left').waitFor()
  await tabTo(page.getByRole('button', { name: 'Move Mind up' }))
  await page.keyboard.press('Enter')
  await rank('Mind').getByText('6 of 6 dots left').waitFor()
  await rank('Body').getByText('4 of 4 dots left').waitFor()
  await waitFor(() => page.evaluate('document.activeElement.ariaLabel'), 'Move Mind down')
  const labels = await page
    .locator('.rank')
    .evaluateAll((groups) => groups.map((group) => [...group.querySelectorAll('label')].map((label) => label.textContent ?? '')))
  for (const [i, dots] of [
    [4, 4, 1],
    [3, 2, 2],
    [2, 2, 2],
  ].entries())
    for (const [j, value] of dots.entries()) await setDots(page, labels[i]?.[j] as string, value)
  await rank('Mind').getByText('All 6 dots given').waitFor()
  await checkLooks(page, 'creation priority', () => rank('Mind').waitFor())
  await setDots(page, labels[0]?.[2] as string, 2)
  await rank('Mind').getByText('1 dot too many').waitFor()
  await setDots(page, labels[0]?.[2] as string, 1)
  await next(page)

  await stepTitle(page, 'Skills').waitFor()
  await waitFor(valueOnSheet(page, labels[0]?.[0] as string), '4 of 5')
  const chips = page.locator('.budget-chip')
  await waitFor(() => chips.allTextContents(), ['3', '3', '2', '2', '2', '1', '1', '1', '0', '0', '0', '0'])
  await page.getByLabel('Lore').selectOption('3')
  await page.getByLabel('Fighting').selectOption('3')
  await page.getByLabel('Shooting').selectOption('2')
  // The last 3 is taken from another skill, which gets the 2 in its place.
  await page.getByLabel('Shooting').selectOption({ label: '3 (swap)' })
  assert.deepEqual(await Promise.all(['Lore', 'Shooting'].map((name) => page.getByLabel(name).inputValue())), ['2', '3'])
  await next(page)
  await page.getByRole('alert').getByText('Must be 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0, in any order.').waitFor()
  await press(page, 'Fill the rest')
  await page.getByText('All values are given.').waitFor()
  await checkLooks(page, 'creation array', () => page.getByText('All values are given.').waitFor())
  await next(page)

  await stepTitle(page, 'Edges, and burdens that pay for more').waitFor()
  await page.getByText('5 of 5 points left').waitFor()
  const [edge = '', burden = ''] = (await Promise.all(
    ['Edges', 'Burdens'].map((name) => page.getByRole('group', { name, exact: true }).locator('output').first().getAttribute('aria-label')),
  )) as string[]
  for (let i = 0; i < 3; i++) await press(page, `Raise ${edge}`)
  await page.getByText('2 of 5 points left').waitFor()
  await waitFor(() => page.getByRole('button', { name: `Raise ${edge}` }).isDisabled(), true)
  await press(page, `Raise ${burden}`)
  await page.getByText('3 of 5 points left').waitFor()
  await checkLooks(page, 'creation points', () => page.getByText('3 of 5 points left').waitFor())
  await next(page)

  await stepTitle(page, 'Who is it?').waitFor()
  await waitFor(valueOnSheet(page, edge), '3 of 3')
  await press(page, 'Create the character')
  await waitFor(() => page.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('Name').fill('Jonathan Crane')
  await page.getByLabel('Concept').first().fill('A soldier who reads')
  await checkLooks(page, 'creation last', () => stepTitle(page, 'Who is it?').waitFor())
  await press(page, 'Create the character')
  await page.getByRole('heading', { name: 'Jonathan Crane', level: 1 }).waitFor()
  const { items } = (await play('GET', `${C}/characters`)) as unknown as { items: Record<string, unknown>[] }
  assert.deepEqual(
    items.map(({ name, concept, user_id, choices }) => [name, concept, user_id, choices]),
    [['Jonathan Crane', 'A soldier who reads', player.id, { concept: 'soldier' }]],
  )
  // The address of the creation leads to the character now.
  await page.goBack()
  await page.getByText('This character is finished').waitFor()
  await page.getByRole('link', { name: 'Open the sheet' }).click()
  await page.getByRole('heading', { name: 'Jonathan Crane', level: 1 }).waitFor()
  assert.deepEqual(errors, [])
})

test('ability scores are given out, bought, or rolled with a proof', { skip }, async () => {
  const { page, errors, play, C } = await openCharacters('srd-5.2')
  await start(page)
  await page.getByLabel('Fighter').check()
  await next(page)
  await stepTitle(page, 'Ability scores').waitFor()
  await page.getByLabel(/^Spend points/).check()
  await page.getByText('27 of 27 points left').waitFor()
  for (let i = 0; i < 7; i++) await press(page, 'Raise Strength')
  await page.getByText('18 of 27 points left').waitFor()
  for (let i = 0; i < 5; i++) await press(page, 'Raise Wisdom')
  await page.getByText('next costs 2').waitFor()
  await checkLooks(page, 'creation ways', () => page.getByText('13 of 27 points left').waitFor())

  await page.getByLabel(/^Roll dice/).check()
  await next(page)
  await page.getByRole('alert').getByText('Roll the dice first.').waitFor()
  await press(page, 'Roll the dice')
  const dice = page.getByRole('list', { name: 'The dice' })
  await dice.waitFor()
  const values = await dice.locator('strong').allTextContents()
  assert.equal(values.length, 6)
  await waitFor(() => page.getByRole('button', { name: 'Roll the dice' }).count(), 0)
  const proof = page.context().waitForEvent('page')
  await dice.getByRole('link').first().click()
  const opened = await proof
  await opened.getByRole('heading', { level: 1, name: 'Verify' }).waitFor()
  await opened
    .getByText(/4d6dl1/)
    .first()
    .waitFor()
  await opened.close()
  for (const [i, name] of ['Strength', 'Dexterity', 'Constitution', 'Intelligence', 'Wisdom', 'Charisma'].entries())
    await page
      .getByLabel(name, { exact: true })
      .first()
      .selectOption(values[i] as string)
  await checkLooks(page, 'creation dice', () => dice.waitFor())
  await next(page)

  await stepTitle(page, 'Skill proficiencies').waitFor()
  await waitFor(async () => (await valueOnSheet(page, 'Strength')())?.startsWith(values[0] as string), true)
  for (const name of ['Athletics', 'Arcana', 'Stealth', 'Acrobatics', 'History']) await page.getByLabel(name).first().check()
  await page.getByText('1 point too many').waitFor()
  await next(page)
  await page.getByRole('alert').getByText('Costs 5 of 4.').waitFor()
  // An entered value stays while another step is looked at.
  await page.getByRole('link', { name: 'Step 2: Ability scores, done' }).click()
  await dice.waitFor()
  await page.getByRole('link', { name: 'Step 3: Skill proficiencies' }).click()
  await page.getByText('1 point too many').waitFor()
  await page.getByLabel('History').first().uncheck()
  await checkLooks(page, 'creation ticks', () => page.getByText('0 of 4 points left').waitFor())
  await next(page)
  await stepTitle(page, 'Saving throw proficiencies').waitFor()
  const { items } = (await play('GET', `${C}/creations`)) as unknown as { items: { id: string }[] }
  const { steps } = (await play('GET', `${C}/creations/${items[0]?.id}`)) as unknown as { steps: { method: string | null }[] }
  assert.deepEqual(
    steps.map(({ method }) => method),
    ['choose', 'dice', 'points', null],
  )
  assert.deepEqual(errors, [])
})

test('a surprise answers one step or all of them, and an open creation is continued or abandoned', { skip }, async () => {
  const { page, errors, openList, tell, C, versionId } = await openCharacters()
  await start(page)
  await stepTitle(page, 'Who are you?').waitFor()
  await press(page, 'Surprise me')
  await waitFor(() => page.locator('.radio-card input:checked').count(), 1)
  await page.getByRole('link', { name: 'Step 1: Who are you?, done' }).waitFor()

  await openList()
  const open = page.getByRole('region', { name: 'Being created' })
  await open.getByText('Your player character', { exact: true }).waitFor()
  await checkLooks(page, 'sheets with a creation', () => open.waitFor())
  await open.getByRole('link', { name: /^Continue ?: Your player character$/ }).click()
  await stepTitle(page, 'Attributes: rank body, mind and bearing').waitFor()
  await page.getByRole('link', { name: /^Step 5/ }).click()
  await page.getByText('Before you can finish, these steps need an answer:').waitFor()
  await checkLooks(page, 'creation open steps', () => stepTitle(page, 'Who is it?').waitFor())
  await press(page, 'Surprise me with the rest')
  await page.getByLabel('Name').waitFor()
  await waitFor(() => sheetSoFar(page).locator('.sheet-faults').count(), 0)

  // Four more can be open at the same time, and no more.
  for (let i = 0; i < 4; i++) {
    await openList()
    await start(page)
  }
  await openList()
  await page.getByRole('button', { name: 'New character' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await dialog
    .getByRole('alert')
    .getByText(/^You have five characters that are not finished/)
    .waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await waitFor(() => open.getByRole('listitem').count(), 5)
  await open.getByRole('button', { name: 'Abandon: Your player character' }).first().click()
  await dialog.getByRole('button', { name: 'Abandon' }).click()
  await waitFor(() => open.getByRole('listitem').count(), 4)

  // The campaign takes up other rules while somebody creates a character.
  await open
    .getByRole('link', { name: /^Continue/ })
    .first()
    .click()
  await stepTitle(page, 'Who are you?').waitFor()
  await tell('DELETE', `${C}/ruleset`)
  await page.getByText('The rules have changed').waitFor()
  await checkLooks(page, 'creation with other rules', () => page.getByText('The rules have changed').waitFor())
  await tell('PUT', `${C}/ruleset`, { version_id: versionId })
  await stepTitle(page, 'Who are you?').waitFor()
  await press(page, 'Abandon')
  await dialog.getByRole('button', { name: 'Abandon' }).click()
  await page.getByRole('heading', { name: 'Sheets', level: 1 }).waitFor()
  await waitFor(() => open.getByRole('listitem').count(), 3)
  assert.deepEqual(errors, [])
})

test('a campaign without a ruleset offers no steps, and asks for no creations', { skip }, async () => {
  const { signIn, goto, teller, C } = await newScene()
  const { page, path } = await signIn(teller.id)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await goto(page, `${path}${C}/characters`)
  await page.getByText('Nobody is here yet').waitFor()
  assert.equal(await page.getByRole('link', { name: 'Generate NPCs' }).count(), 0)
  await page.getByRole('button', { name: 'New character' }).click()
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  assert.equal(await page.getByRole('dialog').getByLabel('Step by step').count(), 0)
  assert.deepEqual(
    asked.filter((url) => /\/(creations|ruleset)/.test(url)),
    [],
  )
  await goto(page, `${path}${C}/characters/generate`)
  await page.getByText('NPCs cannot be generated here').waitFor()
})

test('the address of a creation that is gone leads to the sheets', { skip }, async () => {
  const { page, goto, path, C } = await openCharacters()
  for (const id of ['01900000-0000-7000-8000-000000000000', 'nonsense']) {
    await goto(page, `${path}${C}/characters/creations/${id}`)
    await page.getByRole('heading', { level: 1, name: 'This character cannot be continued' }).waitFor()
  }
  await page.getByRole('link', { name: 'Go to Sheets' }).click()
  await page.getByRole('heading', { name: 'Sheets', level: 1 }).waitFor()
})
