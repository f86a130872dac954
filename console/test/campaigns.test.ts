import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newGameTable } from '../../server/test/game-table.ts'
import { call, newCompany, newDeveloper } from '../../server/test/harness.ts'
import { checkLooks } from './checks.ts'
import { tabTo } from './keyboard.ts'
import { navigate } from './navigate.ts'
import { service } from './scene.ts'
import { signInWithKey } from './sign-in.ts'
import { visit } from './visit.ts'

const skip = missingBrowser()

type Table = Awaited<ReturnType<typeof newGameTable>>
const companyOf = ({ base }: Pick<Table, 'base'>) => base.split('/').at(-1) as string

/** Opens the campaigns as one of the users. */
async function campaignsAs(table: Pick<Table, 'base' | 'key'>, user: string) {
  const visited = await visit(service.base, `/c/${companyOf(table)}/as/${user}`)
  await signInWithKey(visited.page, table.key)
  await visited.page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  return visited
}

const card = (page: Page, name: string) => page.getByRole('article').filter({ has: page.getByRole('heading', { name }) })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('a developer finds a company and a user to act as, and makes new ones', { skip }, async () => {
  const { key } = await newDeveloper()
  const { page, assertClean } = await visit(service.base)
  await signInWithKey(page, key)
  await page.getByRole('button', { name: 'Create an empty company' }).click()
  const dialog = page.getByRole('dialog')
  await checkLooks(page, 'new company')
  await dialog.getByLabel('Name').fill('x'.repeat(101))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/at most 100 characters|not have more than 100/i).waitFor()
  await dialog.getByLabel('Name').fill('Blackwood Games')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('This company has no users yet').waitFor()
  await checkLooks(page, 'no users')
  await page.getByRole('button', { name: 'Add a user' }).click()
  await dialog.getByLabel('Name').fill('Mina Harker')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByText('There is no campaign yet').waitFor()
  await page.getByText('You act as Mina Harker').click()
  await page.getByRole('link', { name: /Mina Harker.*Storyteller/ }).waitFor()
  await checkLooks(page, 'users')
  await navigate(page, 'Companies')
  await page.getByRole('link', { name: 'Blackwood Games' }).waitFor()
  await checkLooks(page, 'companies')
  // The way back, and to another company, with the keyboard.
  assert.equal(await page.getByRole('button', { name: 'Switch company' }).count(), 0, 'there is one company')
  const second = { method: 'POST', headers: { 'x-api-key': key, 'content-type': 'application/json' }, body: '{"name": "Second Kettle"}' }
  assert.equal((await fetch(`${service.base}/api/v1/companies`, second)).status, 201)
  const enter = async (target: Locator) => {
    await tabTo(target)
    await page.keyboard.press('Enter')
  }
  await enter(page.getByRole('link', { name: 'Blackwood Games' }))
  await enter(page.getByRole('link', { name: /Mina Harker.*Storyteller/ }))
  await enter(page.getByRole('button', { name: 'Switch company' }))
  await dialog.getByRole('link', { name: 'Blackwood Games You are here' }).waitFor()
  await checkLooks(page, 'switch company')
  await enter(dialog.getByRole('link', { name: 'Second Kettle' }))
  await page.getByText('This company has no users yet').waitFor()
  assertClean()
})

test('an archived company is restored', { skip }, async () => {
  const gone = await newCompany()
  const { page } = await visit(service.base)
  await signInWithKey(page, gone.key)
  await page.getByRole('list').getByRole('link').first().waitFor()
  const reply = await fetch(`${service.base}${gone.base}`, { method: 'DELETE', headers: { 'x-api-key': gone.key } })
  assert.equal(reply.status, 204)
  await page.reload()
  await page.getByText('Archived (1)').click()
  await page.getByRole('button', { name: /^Restore/ }).click()
  await page.getByText('is restored.').waitFor()
  await page.getByRole('list').getByRole('link').first().waitFor()
})

test('a storyteller creates a campaign, and bad input is answered by the service', { skip }, async () => {
  const table = await newGameTable()
  const { page, assertClean } = await campaignsAs(table, table.teller.id)
  await page.getByRole('button', { name: 'New campaign' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('More choices').click()
  await checkLooks(page, 'new campaign')
  await dialog.getByLabel('Name').fill('y'.repeat(101))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await waitFor(() => dialog.getByLabel('Name').getAttribute('aria-invalid'), 'true')
  await dialog.getByLabel('Name').fill('The Drowned Bell')
  await dialog.getByLabel('Who sees the campaign?').selectOption({ label: 'Only its members' })
  await dialog.getByLabel('Does the game use danger and desperation?').selectOption({ label: 'No, hide them' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await heading(page, 'The Drowned Bell').waitFor()
  await page.getByRole('button', { name: 'Award', exact: true }).waitFor()
  const gauges = page.getByRole('img', { name: /^(Danger|Desperation): / })
  assert.equal(await gauges.count(), 0)
  await navigate(page, 'Campaigns')
  await card(page, 'The Drowned Bell').getByText('Members only').waitFor()
  assert.equal(await gauges.count(), 2, 'of the other campaign')
  assertClean()
})

test('a campaign is created and opened with the keyboard alone', { skip }, async () => {
  const table = await newGameTable()
  const { page } = await campaignsAs(table, table.teller.id)
  await card(page, 'Fall of Kingsport').waitFor()
  await tabTo(page.getByRole('button', { name: 'New campaign', exact: true }))
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await tabTo(page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Keys only')
  await page.keyboard.press('Enter')
  await heading(page, 'Keys only').waitFor()
  await page.goBack()
  await card(page, 'Keys only').waitFor()
  await tabTo(page.getByRole('link', { name: 'Fall of Kingsport' }).first())
  await page.keyboard.press('Enter')
  await heading(page, 'Fall of Kingsport').waitFor()
})

test('the cards follow what others do, and a player sees no private campaign of others', { skip }, async () => {
  const table = await newGameTable()
  const { teller, player, other, C, campaign_id } = table
  const { page, assertClean } = await campaignsAs(table, player.id)
  const shown = card(page, 'Fall of Kingsport')
  await shown.getByText('Not played yet').waitFor()
  await shown.getByRole('img', { name: 'Danger: 0 of 5' }).waitFor()
  await shown.getByRole('img', { name: '1 member: Teller' }).waitFor()
  await teller.post(`${C}/adjust`, { danger: 3, desperation: 1 })
  await shown.getByRole('img', { name: 'Danger: 3 of 5' }).waitFor()
  await other.post(`${C}/join`)
  await shown.getByRole('img', { name: '2 members: Teller, Other player' }).waitFor()
  await other.post('/dice-rolls', { notation: '2d6', campaign_id })
  await shown.getByText('Played just now').waitFor()
  await teller.make('/campaigns', { name: 'A secret society', access: 'MEMBERS' })
  await teller.make('/campaigns', { name: 'An open house' })
  await card(page, 'An open house').waitFor()
  assert.ok(!(await page.content()).includes('secret society'))
  await checkLooks(page, 'campaigns')
  // A refusal says why, and what would be enough.
  await page.getByRole('button', { name: 'New campaign' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('My own')
  await call('PATCH', table.base, { key: table.key, body: { settings: { campaign_creation: 'STORYTELLER' } } })
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page
    .getByText(
      'No rights to access this resource: the settings of the company forbid it; the acting user needs the role STORYTELLER or higher.',
    )
    .waitFor()
  assertClean()
})

test('a player joins an open campaign, and another one by an invite', { skip }, async () => {
  const table = await newGameTable()
  const { teller, player } = table
  const closed = await teller.make('/campaigns', { name: 'By the fire', access: 'MEMBERS', joining: 'INVITE' })
  const { body } = await teller.post(`/campaigns/${closed}/invites`, {})
  const code = (body as unknown as { code: string }).code
  const { page, open, assertClean } = await campaignsAs(table, player.id)
  await page.getByText('You are in no campaign yet').waitFor()
  await card(page, 'Fall of Kingsport').getByRole('button', { name: 'Join Fall of Kingsport' }).click()
  await heading(page, 'Fall of Kingsport').waitFor()
  await navigate(page, 'Campaigns')
  await page.getByRole('button', { name: 'I have an invite' }).click()
  const dialog = page.getByRole('dialog')
  await checkLooks(page, 'invite')
  await dialog.getByLabel('Code of the invite').fill('nonsense')
  await dialog.getByRole('button', { name: 'Join' }).click()
  await waitFor(() => dialog.getByLabel('Code of the invite').getAttribute('aria-invalid'), 'true')
  await page.keyboard.press('Escape')
  // The link of an invite leads there, without its code in sight.
  await page.goto('about:blank')
  await open(`/c/${companyOf(table)}/as/${player.id}#invite=${code}`)
  await dialog.getByText('You opened an invite to a campaign.').waitFor()
  assert.equal(await dialog.getByLabel('Code of the invite').count(), 0)
  assert.ok(!page.url().includes(code))
  await checkLooks(page, 'invite by link')
  await dialog.getByRole('button', { name: 'Join' }).click()
  await heading(page, 'By the fire').waitFor()
  assertClean()
})

test('an archived campaign is restored', { skip }, async () => {
  const table = await newGameTable()
  const { page } = await campaignsAs(table, table.teller.id)
  await card(page, 'Fall of Kingsport').waitFor()
  await table.teller.delete(table.C)
  await page.getByText('Archived (1)').click()
  await page.getByRole('button', { name: 'Restore Fall of Kingsport' }).click()
  await card(page, 'Fall of Kingsport').waitFor()
})

test('a hundred campaigns with long names fit, and are found by name', { skip }, async () => {
  const table = await newGameTable()
  const { teller } = table
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlungsstelle'
  const make = (_: unknown, i: number) =>
    teller.make('/campaigns', { name: i % 10 ? `Campaign ${i}` : `${long} ${i}`, description: i % 3 ? null : 'word '.repeat(300) })
  await Promise.all(Array.from({ length: 100 }, make))
  const { page, assertClean } = await campaignsAs(table, teller.id)
  await waitFor(() => page.getByRole('article').count(), 100)
  for (const width of [360, 600, 900, 1200, 1600]) {
    await page.setViewportSize({ width, height: 900 })
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `scrolls sideways at ${width} px`)
  }
  await page
    .getByText(/The first 100 of 101 are shown/)
    .first()
    .waitFor()
  await page.getByLabel('Find a campaign').fill('kingsport')
  await waitFor(() => page.getByRole('article').count(), 1)
  await page.getByLabel('Find a campaign').fill('zzzzzz')
  await page.getByText('No campaign has this in its name').waitFor()
  assertClean()
})
