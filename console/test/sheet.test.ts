import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { openSheet, openTab, trait } from './sheet-scene.ts'

const skip = missingBrowser()

test('a player edits a character and its traits, and takes traits to the table', { skip }, async () => {
  const { page, errors, H, C, hero, path, tell, signIn, teller, goto } = await openSheet()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Concept').fill('Keeper of the lighthouse')
  await page.getByRole('textbox', { name: 'Biography' }).fill('# Youth\n\nBorn in **Kingsport**.\n\n<img src=x onerror=alert(1)>')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Keeper of the lighthouse').waitFor()
  await page.locator('.markdown strong', { hasText: 'Kingsport' }).waitFor()
  assert.equal(await page.locator('.markdown img').count(), 0)

  await page.getByRole('button', { name: 'Edit traits' }).click()
  const dialog = page.getByRole('dialog', { name: 'Traits' })
  await dialog.getByLabel('Brawl', { exact: true }).fill('9000000')
  await dialog.getByLabel('New trait').fill('Animal Ken')
  await dialog.getByLabel('New trait').press('Enter')
  await dialog.getByLabel('Animal ken', { exact: true }).fill('7')
  await dialog.getByRole('button', { name: 'Remove Occult' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  // The service refuses a value, says why at its field, and nothing was changed.
  await dialog.locator('.error').waitFor()
  assert.match((await dialog.locator('.error').textContent()) ?? '', /1000000/)
  await dialog.getByLabel('Brawl', { exact: true }).fill('4')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await waitFor(trait(page, 'Brawl'), 'Brawl 4')
  await waitFor(trait(page, 'Animal ken'), 'Animal ken 7')
  await waitFor(() => page.locator('.trait', { hasText: 'Occult' }).count(), 0)

  // Another user changes a trait, and it is shown.
  await tell('PATCH', H, { traits: { strength: 5 } })
  await waitFor(trait(page, 'Strength'), 'Strength 5')
  await page.getByRole('button', { name: /^Strength/ }).click()
  await page.getByRole('button', { name: /^Brawl/ }).click()
  const link = page.getByRole('link', { name: 'Roll at the table' })
  await waitFor(() => link.getAttribute('href'), `${path}${C}?traits=strength,brawl&character=${hero}`)

  // Storytellers take the right to change traits: the button is gone, and the page says why.
  await tell('PATCH', C, { trait_changes: 'EXPERIENCE' })
  await page.getByText('Traits of this campaign are raised with experience.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Edit traits' }).count(), 0)

  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  const other = await signIn(teller.id)
  await goto(other.page, `${other.path}${H}`)
  await other.page.getByRole('heading', { name: 'Jonathan Crane' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('button', { name: 'Restore Jonathan Crane' }).waitFor()
  // Whoever looks at the sheet sees that it is gone.
  await other.page.getByRole('heading', { name: 'There is no such character' }).waitFor()
  assert.deepEqual([...errors, ...other.errors], [])
})

test('experience is spent on a trait, shown in the history with old and new values, and undone from there', { skip }, async () => {
  const { page, errors, player, C, tell, signIn, teller, goto, H } = await openSheet()
  await openTab(page, 'Experience')
  await page.getByText('No experience yet').waitFor()
  await tell('POST', `${C}/experience/awards`, { amount: 5, reason: 'The lighthouse stands', user_ids: [player.id] })
  await page.getByText('The lighthouse stands').waitFor()
  const figures = () => page.locator('.figures dd').allTextContents()
  await waitFor(figures, ['5', '5', '0'])
  await page.getByRole('button', { name: 'Spend' }).click()
  const dialog = page.getByRole('dialog', { name: 'Spend experience' })
  await dialog.getByLabel('Amount').fill('6')
  await dialog.getByLabel('Reason').fill('Nights with the old books')
  await dialog.getByLabel('Trait to raise').selectOption('occult')
  await waitFor(() => dialog.getByLabel('New value').inputValue(), '2')
  await dialog.getByRole('button', { name: 'Spend' }).click()
  await dialog.getByText('Only 5 experience is available. Spend at most that much.').waitFor()
  await dialog.getByLabel('Amount').fill('4')
  await dialog.getByRole('button', { name: 'Spend' }).click()
  await waitFor(figures, ['1', '5', '4'])
  await page.getByText('Occult 1 → 2').waitFor()

  await openTab(page, 'History')
  const change = page.locator('.change', { hasText: 'Nights with the old books' })
  assert.match((await change.textContent()) ?? '', /Player.*Occult.*1.*→.*2/)
  await change.getByRole('button', { name: 'Undo: Nights with the old books' }).click()
  await page.getByLabel('Why').fill('Wrong trait')
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await page.locator('.change', { hasText: 'Wrong trait' }).waitFor()
  await waitFor(() => page.getByRole('button', { name: /^Undo/ }).count(), 0)
  await openTab(page, 'Experience')
  await waitFor(figures, ['5', '5', '0'])

  // A storyteller may also take an award back.
  const other = await signIn(teller.id)
  await goto(other.page, `${other.path}${H}?tab=experience`)
  await other.page.getByRole('button', { name: 'Undo: The lighthouse stands' }).click()
  await other.page.getByRole('dialog').getByLabel('Why').fill('A mistake')
  await other.page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
  await waitFor(figures, ['0', '0', '0'])
  assert.deepEqual([...errors, ...other.errors], [])
})

test('a hidden sheet shows what may be seen, says so, and holds no secret', { skip }, async () => {
  const { page, errors, C, tell, goto, path } = await openSheet()
  const mayor = { name: 'Mayor Whateley', type: 'NPC', biography: 'Mayor since 1908.', traits: { dark_secret: 4 } }
  const npc = (await tell('POST', `${C}/characters`, { ...mayor, sheet_visibility: 'STORYTELLER' })).id
  await tell('PUT', `${C}/characters/${npc}/trackers/guilt`, { label: 'Guilt', value: 3, maximum: 5 })
  const replies: Promise<string>[] = []
  page.on('response', (reply) => {
    if (!/stream/.test(reply.url())) replies.push(reply.text().catch(() => ''))
  })
  await goto(page, `${path}${C}/characters/${npc}`)
  await page.getByText('The sheet of this character is hidden from you').waitFor()
  await page.getByText('Mayor since 1908.').waitFor()
  await waitFor(() => page.getByRole('tab').allTextContents(), ['About', 'Notes', 'History'])
  await openTab(page, 'History')
  await page.locator('.history').waitFor()
  for (const reply of await Promise.all(replies)) assert.ok(!/dark_secret|Guilt/.test(reply), reply.slice(0, 300))
  assert.equal(await page.getByRole('button', { name: 'Edit' }).count(), 0)
  await tell('PATCH', `${C}/characters/${npc}`, { sheet_visibility: 'EVERYONE' })
  await openTab(page, 'Traits')
  await waitFor(trait(page, 'Dark secret'), 'Dark secret 4')
  await tell('PATCH', `${C}/characters/${npc}`, { sheet_visibility: 'STORYTELLER' })
  await waitFor(() => page.locator('.trait').count(), 0)
  assert.deepEqual(errors, [])
})
