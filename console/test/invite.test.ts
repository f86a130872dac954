import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newGameTable } from '../../server/test/game-table.ts'
import { ask } from '../../server/test/service.ts'
import { checkLooks } from './checks.ts'
import { service } from './scene.ts'
import { visit } from './visit.ts'

// The way of new players into a campaign, from the link of its invite on.

const skip = missingBrowser()

/** A campaign that only its members see, and the part of links below the console: of an invite to it, and of one with which a player signs in. */
async function newInvite() {
  const table = await newGameTable()
  const { teller, player, base, key } = table
  const campaign_id = await teller.make('/campaigns', { name: 'By the fire', access: 'MEMBERS', joining: 'INVITE' })
  const invited = await teller.post(`/campaigns/${campaign_id}/invites`, {})
  const link = await ask(service, 'POST', `${base}/users/${player.id}/sign-in-links`, key, {})
  const { id, code } = invited.body as unknown as { id: string; code: string }
  const revoke = () => teller.delete(`/campaigns/${campaign_id}/invites/${id}`)
  return { ...table, invite: `/#invite=${code}`, signIn: String(link.body.url).split('/console')[1] as string, revoke }
}

const STORED = "localStorage.getItem('guildhall-invite')"

test('a new player opens an invite, signs in by a link in another tab, and joins', { skip }, async () => {
  const { invite, signIn } = await newInvite()
  const { page, context, assertClean } = await visit(service.base, invite)
  await page.getByRole('heading', { name: 'You are invited to a campaign' }).waitFor()
  assert.ok(!page.url().includes('invite'))
  await checkLooks(page, 'invited')
  await page.getByRole('button', { name: 'Sign in with an API key' }).click()
  await page.getByText('Ask whoever runs your game for a sign-in link.').waitFor()
  await page.close()

  const other = await context.newPage()
  await other.goto(`${service.base}/console${signIn}`)
  await other.getByText('After that, you can join the campaign that you are invited to.').waitFor()
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Join' }).click()
  await other.getByRole('heading', { level: 1, name: 'By the fire' }).waitFor()
  assert.equal(await other.evaluate(STORED), null)
  assertClean()
})

test('an invite that is refused, declined or a day old is forgotten', { skip }, async () => {
  const { invite, signIn, revoke } = await newInvite()
  const { page, open } = await visit(service.base, signIn)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Join the campaign?' })
  const openInvite = async () => {
    await page.goto('about:blank')
    await open(invite)
  }

  await openInvite()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate(STORED), null)

  await openInvite()
  await dialog.waitFor()
  await page.evaluate(`localStorage.setItem('guildhall-invite', ${STORED}.replace(/"kept_until":\\d+/, '"kept_until":1'))`)
  await page.reload()
  await page.getByRole('link', { name: 'Fall of Kingsport' }).waitFor()
  assert.equal(await dialog.count(), 0)
  assert.equal(await page.evaluate(STORED), null)

  assert.equal((await revoke()).status, 204)
  await openInvite()
  await dialog.getByRole('button', { name: 'Join' }).click()
  await dialog.getByRole('alert').waitFor()
  await checkLooks(page, 'refused invite')
  await waitFor(() => page.evaluate(STORED), null)
})
