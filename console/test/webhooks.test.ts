import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { type Received, startReceiver } from '../../server/test/receiver.ts'
import { ask } from '../../server/test/service.ts'
import { newScene, openWithKey, openWithLink } from './administration.ts'
import { checkLooks } from './checks.ts'
import { escapeTo, tabTo } from './keyboard.ts'

// The service of the tests delivers webhooks itself, to receivers on this machine.

const skip = missingBrowser()

type Answer = Parameters<typeof startReceiver>[0]

/** A company with a receiver, and ways to create webhooks and rolls past the browser. */
async function newHall(answer?: Answer) {
  const scene = await newScene()
  const receiver = await startReceiver(answer)
  const { send, company, player, campaign_id } = scene
  const create = (body: object = {}) =>
    send('POST', `${company}/webhooks`, { name: 'Discord bot', url: receiver.url, types: ['dice_roll.created'], ...body })
  const roll = () => send('POST', `${company}/users/${player.id}/dice-rolls`, { notation: '2d6', campaign_id })
  return { ...scene, receiver, create, roll, path: `${scene.pathAs(scene.admin.id)}/company/webhooks` }
}

/** Everything that the page holds: its elements, and the values of its fields. */
const contentOf = async (page: Page) =>
  (await page.content()) +
  (await page.locator('input').evaluateAll((inputs) => inputs.map((input) => (input as { value?: string }).value).join()))

/** A delivery in the list. */
const rowOf = (page: Page, number: number) => page.getByRole('button', { name: new RegExp(`^Number\\s*${number}\\s*dice_roll.created`) })

/** The signature that Standard Webhooks asks for. */
const signatureOf = (secret: string, { headers, text }: Received) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`)
    .digest('base64')}`

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('an admin creates a webhook, pings it, and follows a delivery and its second attempt', { skip }, async () => {
  const { key, path, receiver, roll } = await newHall(() => ({ status: 200, headers: { 'x-bot': 'crow' }, body: 'caw <b>caw</b>' }))
  const { page, errors, open } = await openWithKey(key)
  await open(path)
  await page.getByText('There is no webhook yet').waitFor()
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Discord bot')
  await dialog.getByLabel('URL').fill('https://10.0.0.1/hook')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/Must lead to a public address/).waitFor()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByLabel('Chosen kinds').check()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.locator('.error').waitFor()
  await dialog.getByLabel('Dice rolls').check()
  await dialog.getByRole('button', { name: 'Create' }).click()

  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
  assert.match(secret, /^whsec_.{44}$/)
  await dialog.getByRole('button', { name: 'Copy' }).waitFor()
  assert.ok((await contentOf(page)).includes(secret))
  await dialog.getByRole('button', { name: 'Done' }).click()
  await title(page, 'Discord bot').waitFor()
  assert.ok(!(await contentOf(page)).includes(secret), 'the secret is gone with its dialog')
  await page.getByText(`whsec_…${secret.slice(-4)}`).waitFor()
  await page.getByText('Nothing has been delivered yet').waitFor()

  await page.getByRole('button', { name: 'Send a ping' }).click()
  await dialog.getByText('Your server accepted it.').waitFor()
  await dialog.getByText('Status 200').waitFor()
  await dialog.getByText('x-bot: crow').waitFor()
  await dialog.getByText('caw <b>caw</b>').waitFor()
  assert.equal(receiver.received[0]?.body.type, 'webhook.ping')
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await roll()
  const row = rowOf(page, 1)
  await row.getByText('Delivered').waitFor()
  const first = receiver.received[1] as Received
  assert.equal(first.headers['webhook-signature'], signatureOf(secret, first))
  await row.click()
  await dialog.getByText('guildhall-number: 1').first().waitFor()
  await dialog.getByText('Attempt 1').waitFor()
  // The service keeps no bodies, but tells what it would send now: it is the same as before.
  await dialog.getByText('The request, as it would be sent now').click()
  await dialog.getByText('guildhall-attempt: 2').waitFor()
  await dialog.getByText(`"id": "${first.headers['webhook-id']}"`).waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy the body' }).click()
  await dialog.getByText('Copied.', { exact: true }).waitFor({ state: 'attached' })
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), first.text)
  await dialog.getByRole('button', { name: 'Send it again' }).click()
  await dialog.getByText('Attempt 2').waitFor()
  assert.equal(receiver.received[2]?.headers['webhook-id'], first.headers['webhook-id'])
  await waitFor(() => dialog.getByRole('button', { name: 'Skip' }).count(), 0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row.getByText(/2 attempts/).waitFor()

  await page.getByRole('link', { name: 'Company · All webhooks' }).click()
  await page.getByRole('link', { name: 'Discord bot' }).waitFor()
  await page.getByText('What every player sees').waitFor()
  assert.deepEqual(errors, [])
})

test('a server that fails: its answer in words, a delivery that is skipped, disable and enable', { skip }, async () => {
  let status = 500
  const { key, path, create, roll, send, company, receiver } = await newHall(() => ({ status, body: 'out of ink' }))
  const { id } = await create()
  const { page, errors, open } = await openWithKey(key)
  await open(`${path}/${id}`)
  await title(page, 'Discord bot').waitFor()
  await roll()
  await page.getByText(/The server does not accept deliveries: .* failed since/).waitFor()
  const row = (number: number) => rowOf(page, number)
  await row(1).getByText('Waiting').waitFor()
  await row(1).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('only a status of 2xx means success').first().waitFor()
  await dialog.getByText('out of ink').first().waitFor()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await page.getByRole('heading', { name: 'Skip delivery 1?' }).waitFor()
  await dialog.getByRole('button', { name: 'Skip' }).click()
  await row(1).getByText('Skipped').waitFor()

  await page.getByLabel('Status').selectOption('Failed')
  await page.getByText('No delivery has this status').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  await row(1).waitFor()

  await page.getByRole('button', { name: 'Disable' }).click()
  await dialog.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Somebody disabled it.').waitFor()
  await row(1).click()
  await dialog.getByText('Enable it to send this delivery.').waitFor()
  await waitFor(() => dialog.getByRole('button', { name: 'Send it now' }).isDisabled(), true)
  await page.keyboard.press('Escape')

  status = 204
  await roll()
  await waitFor(async () => Number((await send('GET', `${company}/webhooks/${id}/progress`)).backlog) > 0, true)
  await page.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByLabel('Send them').check()
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await row(2).getByText('Delivered').waitFor()
  await waitFor(() => page.getByText('Somebody disabled it.').count(), 0)

  // The endpoint asks for no more: the page says so without being loaded again.
  status = 410
  const before = receiver.received.length
  await roll()
  await page.getByText('The server answered with status 410').waitFor()
  assert.ok(receiver.received.length > before)
  status = 204
  await page.getByRole('button', { name: 'Enable' }).click()
  await dialog.getByLabel('Skip them').check()
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await row(3).getByText('Skipped').waitFor()

  await page.getByRole('button', { name: 'Send changes again' }).click()
  // There is nothing to choose from in a webhook with one type.
  assert.equal(await dialog.getByLabel('Chosen kinds').count(), 0)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText(/checked again/).waitFor()
  await page.getByText('Sent again').first().waitFor()
  assert.deepEqual(errors, [])
})

test('a webhook is changed, gets another secret, is archived and restored', { skip }, async () => {
  const { key, path, create, send, company, player, campaign_id } = await newHall()
  const { id } = await create({ types: ['dice_roll.created', 'character.*'] })
  const { page, errors, open } = await openWithKey(key)
  await open(`${path}/${id}`)
  const settings = page.getByRole('region', { name: 'Settings' })
  await settings.getByLabel('Name').fill('Crow')
  assert.equal(await settings.getByLabel('Characters').isChecked(), true)
  await settings.getByLabel('Characters').uncheck()
  await settings.getByLabel('Items').check()
  await settings.getByLabel('What one user sees').check()
  await settings.getByRole('button', { name: 'Save' }).click()
  await settings.getByText('Is required if sight is USER.').waitFor()
  await settings.getByLabel('User', { exact: true }).selectOption({ label: 'Player' })
  await settings.getByLabel('Campaign', { exact: true }).selectOption({ label: 'Fall of Kingsport' })
  await settings.getByLabel('Keep the order').check()
  await settings.getByRole('button', { name: 'Save' }).click()
  await title(page, 'Crow').waitFor()
  const saved = await send('GET', `${company}/webhooks/${id}`)
  assert.deepEqual(
    [saved.types, saved.sight, saved.user_id, saved.campaign_id, saved.ordered],
    [['dice_roll.created', 'item.*'], 'USER', player.id, campaign_id, true],
  )
  await settings.getByLabel('Everything', { exact: true }).check()
  await settings.getByLabel('What every player sees').check()
  await settings.getByRole('button', { name: 'Save' }).click()
  await waitFor(async () => (await send('GET', `${company}/webhooks/${id}`)).types, ['*'])
  assert.equal((await send('GET', `${company}/webhooks/${id}`)).user_id, null)

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(`whsec_…${secret.slice(-4)}`).waitFor()
  await page.getByText('Signs until').waitFor()
  assert.ok(!(await contentOf(page)).includes(secret), 'the secret is gone with its dialog')
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Archive' }).click()
  await dialog.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('There is no webhook yet').waitFor()
  await page.getByRole('tab', { name: 'Archived' }).click()
  await page.getByRole('button', { name: 'Restore Crow' }).click()
  await page.getByText('No webhook is archived.').waitFor()
  await page.getByRole('tab', { name: 'Webhooks' }).click()
  await page.getByRole('link', { name: 'Crow' }).waitFor()
  await page.getByRole('tab', { name: 'Changes' }).click()
  await page.getByText('Webhook rotated').waitFor()
  assert.deepEqual(errors, [])
})

test('chosen kinds of changes are sent again, of the last hour or of any other time', { skip }, async () => {
  const { key, path, create, roll, send, company, teller, campaign_id, receiver } = await newHall()
  const { id } = await create({ types: ['dice_roll.created', 'note.*', 'character.*'] })
  const { page, errors, open } = await openWithKey(key)
  await open(`${path}/${id}`)
  await title(page, 'Discord bot').waitFor()
  await page.getByText('Characters, Notes, dice_roll.created').waitFor()
  await roll()
  await send('POST', `${company}/users/${teller.id}/campaigns/${campaign_id}/notes`, {
    title: 'Rumors',
    body: 'Fog.',
    visibility: 'EVERYONE',
  })
  await page
    .getByRole('button', { name: /^Number\s*2/ })
    .getByText('Delivered')
    .waitFor()
  const typesSince = (count: number) => receiver.received.slice(count).map(({ body }) => body.type)
  const before = receiver.received.length
  assert.deepEqual(typesSince(0).sort(), ['dice_roll.created', 'note.created'])

  const dialog = page.getByRole('dialog')
  const submit = () => dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('button', { name: 'Send changes again' }).click()
  assert.equal(await dialog.getByLabel('The last 24 hours').isChecked(), true)
  await dialog.getByLabel('Another time').check()
  await dialog.getByLabel('From', { exact: true }).fill('2020-01-01T00:00')
  await dialog.getByLabel('Until').fill('2020-01-02T00:00')
  await submit()
  await page.getByText('Nothing happened in this time').waitFor()

  await page.getByRole('button', { name: 'Send changes again' }).click()
  await dialog.getByLabel('The last hour').check()
  await dialog.getByLabel('Chosen kinds').check()
  const kinds = dialog.getByRole('group', { name: 'Kinds of changes' })
  await waitFor(() => kinds.getByRole('checkbox').count(), 3)
  await submit()
  await dialog.getByRole('alert').waitFor()
  await kinds.getByLabel('Notes').check()
  await submit()
  await page.getByText(/checked again/).waitFor()
  await page
    .getByRole('button', { name: /^Number\s*3\s*note.created\s*Sent again/ })
    .getByText('Delivered')
    .waitFor()
  await waitFor(async () => (await send('GET', `${company}/webhooks/${id}/progress`)).replaying, 0)
  assert.deepEqual(typesSince(before), ['note.created'])
  assert.deepEqual(errors, [])
})

test('a user beyond the first hundred is found by name, and is shown by name afterwards', { skip }, async () => {
  const { key, path, create, send, company, campaign_id } = await newHall()
  const { id } = await create()
  const add = (name: string) => send('POST', `${company}/users`, { name, role: 'PLAYER' })
  for (let i = 0; i < 100; i += 20) await Promise.all(Array.from({ length: 20 }, (_, j) => add(`Extra ${i + j}`)))
  const zora = await add('Zora')
  const { page, errors, open } = await openWithKey(key)
  await open(`${path}/${id}`)
  const settings = page.getByRole('region', { name: 'Settings' })
  const user = settings.getByLabel('User', { exact: true })
  await settings.getByLabel('What one user sees').check()
  await settings.getByText(/^The first 100 of \d+ are listed/).waitFor()
  // A short list has no search field.
  assert.equal(await settings.getByLabel('Find a campaign').count(), 0)
  assert.equal(await user.getByRole('option', { name: 'Zora' }).count(), 0)
  await settings.getByLabel('Find a user').fill('nobody at all')
  await settings.getByText('No user has this in the name.').waitFor()
  await settings.getByLabel('Find a user').fill('zor')
  await page.keyboard.press('Enter')
  await settings.getByText('One user has this in the name.').waitFor()
  assert.equal((await send('GET', `${company}/webhooks/${id}`)).version, 1, 'Enter in the search field saves nothing')
  await checkLooks(page, 'webhook search', () => user.scrollIntoViewIfNeeded())
  await tabTo(user)
  await page.keyboard.press('End')
  await settings.getByLabel('Campaign', { exact: true }).selectOption(campaign_id)
  await settings.getByLabel('Find a user').fill('extra')
  await settings.getByText('100 users have this in the name.').waitFor()
  assert.equal(await user.locator('option:checked').textContent(), 'Zora', 'the choice stays while others are found')
  await settings.getByRole('button', { name: 'Save' }).click()
  await page.getByText('What Zora sees').waitFor()
  assert.equal((await send('GET', `${company}/webhooks/${id}`)).user_id, zora.id)

  await page.reload()
  await user.locator('option:checked', { hasText: 'Zora' }).waitFor({ state: 'attached' })
  await send('DELETE', `${company}/users/${zora.id}`)
  await page.reload()
  await user.locator('option:checked', { hasText: `Archived (${zora.id})` }).waitFor({ state: 'attached' })
  assert.deepEqual(errors, [])
})

test('the keyboard is enough to create a webhook, to ping it and to look at a delivery', { skip }, async () => {
  const { key, path, receiver, roll } = await newHall()
  const { page, open } = await openWithKey(key)
  const press = async (name: string) => {
    await tabTo(page.getByRole('button', { name, exact: true }).last())
    await page.keyboard.press('Enter')
  }
  await open(path)
  await page.getByText('There is no webhook yet').waitFor()
  await press('Create a webhook')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('Crow')
  await page.keyboard.press('Tab')
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Secret' }).waitFor()
  await page.keyboard.press('Escape')
  await title(page, 'Crow').waitFor()
  await press('Send a ping')
  await page.getByText('Your server accepted it.').waitFor()
  await escapeTo(page, page.getByRole('button', { name: 'Send a ping' }))
  await roll()
  await rowOf(page, 1).waitFor()
  await tabTo(rowOf(page, 1))
  await page.keyboard.press('Enter')
  await page.getByText('Attempt 1').waitFor()
  await escapeTo(page, rowOf(page, 1))
})

test('the empty list shows a request that works, and leads to the guide', { skip }, async () => {
  const { key, path, service } = await newHall()
  const { page, open } = await openWithKey(key)
  await open(path)
  const guide = await page.getByRole('link', { name: 'How to write the server' }).getAttribute('href')
  assert.equal((await fetch(`${service.base}${guide}`)).status, 200)
  await page.getByText('The same as a request').click()
  const command = (await page.locator('.empty pre').textContent()) ?? ''
  const [, address = '', body = ''] = /^curl -X POST https?:\/\/[^/]+(\S+) .* -d '(.+)'$/.exec(command) ?? []
  const { status, text } = await ask(service, 'POST', address, key, JSON.parse(body))
  assert.equal(status, 201, text)
  await page.getByRole('link', { name: 'Discord bot' }).waitFor()
})

test('players and storytellers see nothing of webhooks, nor does a developer with too low a permission', { skip }, async () => {
  const { create, teller, player, pathAs, linkFor, developer, path } = await newHall()
  const { id } = await create()
  for (const person of [player, teller]) {
    const { page, replies, open } = await openWithLink(await linkFor(person.id))
    for (const rest of ['', `/${id}`]) {
      await open(`${pathAs(person.id)}/company/webhooks${rest}`)
      await title(page, 'Company').waitFor()
      await page.locator('.row').filter({ hasText: 'Stranger' }).waitFor()
      await waitFor(() => page.getByRole('tab').allTextContents(), ['Users', 'Rulesets', 'Settings', 'Archived'])
    }
    assert.ok(!replies.join().includes('Discord bot'))
  }
  const weak = await developer('USER')
  const { page, open } = await openWithKey(weak.key)
  await open(`${path}/${id}`)
  await page.getByText('This needs the permission Admin').waitFor()
})

test('the pages of webhooks are accessible, in both color schemes, on wide and small screens', { skip }, async () => {
  let status = 204
  const { key, path, create, roll, admin, send, company } = await newHall(() => ({
    status,
    headers: { 'x-trace': 'f'.repeat(300) },
    body: 'The bot cannot read this. '.repeat(30),
  }))
  const { page, errors, open } = await openWithKey(key)
  await open(path)
  await page.getByText('The same as a request').click()
  await checkLooks(page, 'webhooks empty')
  await page.getByRole('button', { name: 'Create a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Chosen kinds').check()
  await dialog.getByLabel('What one user sees').check()
  await checkLooks(page, 'webhooks create')
  await page.keyboard.press('Escape')

  const { id } = await create({ types: ['dice_roll.created', 'character.*'] })
  await open(`${path}/${id}`)
  await checkLooks(page, 'webhook new', () => page.getByText('Nothing has been delivered yet').waitFor())
  await create({ name: 'Archive of everything', sight: 'ALL', url: `https://archive.example.com/${'long/'.repeat(30)}` })
  const third = await create({ name: 'Mirror', sight: 'USER', user_id: admin.id })
  await send('POST', `${company}/webhooks/${third.id}/disable`)
  await open(path)
  await checkLooks(page, 'webhooks', () => page.getByText('Somebody disabled it.').waitFor())

  for (let i = 0; i < 12; i++) await roll()
  await open(`${path}/${id}`)
  await rowOf(page, 12).getByText('Delivered').waitFor()
  await checkLooks(page, 'webhook')
  await page.getByRole('region', { name: 'Settings' }).scrollIntoViewIfNeeded()
  await checkLooks(page, 'webhook settings')
  await page.getByRole('button', { name: 'Show more' }).click()
  await rowOf(page, 1).waitFor()
  status = 500
  await roll()
  await page.getByText(/The server does not accept deliveries/).waitFor()
  await title(page, 'Discord bot').scrollIntoViewIfNeeded()
  await checkLooks(page, 'webhook failing')
  await rowOf(page, 13).click()
  await checkLooks(page, 'webhook delivery', () => dialog.getByText('Attempt 1').waitFor())
  await dialog.getByText('The request, as it would be sent now').click()
  await checkLooks(page, 'webhook request', () => dialog.getByRole('button', { name: 'Copy the body' }).scrollIntoViewIfNeeded())
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send a ping' }).click()
  await checkLooks(page, 'webhook ping', () => dialog.getByText('The server did not accept it').waitFor())
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Send changes again' }).click()
  await checkLooks(page, 'webhook replay')
  await dialog.getByLabel('Another time').check()
  await dialog.getByLabel('Chosen kinds').check()
  await checkLooks(page, 'webhook replay chosen')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await checkLooks(page, 'webhook rotate')
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await checkLooks(page, 'webhook secret', () => dialog.getByRole('textbox', { name: 'Secret' }).waitFor())
  await page.keyboard.press('Escape')
  await open(`${path}/${third.id}`)
  await checkLooks(page, 'webhook disabled', () => page.getByText('Enable it to send what happens').waitFor())
  await page.getByRole('button', { name: 'Enable' }).click()
  await checkLooks(page, 'webhook enable')
  assert.deepEqual(errors, [])
})
