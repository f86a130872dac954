import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { missingBrowser, waitFor } from '../../server/test/browser.ts'
import { newDeveloper } from '../../server/test/harness.ts'
import { navigate } from './navigate.ts'
import { listen } from './received.ts'
import { service } from './scene.ts'
import { signInWithKey } from './sign-in.ts'
import { visit } from './visit.ts'

// A whole evening: the storyteller and a player sit at one table, each with a browser of their own.

const skip = missingBrowser()

const entry = (page: Page, text: string | RegExp) => page.locator('.entry').filter({ hasText: text })

test('a storyteller and a player play a whole evening in two browsers', { skip, timeout: 300_000 }, async () => {
  const { key } = await newDeveloper()

  // The storyteller sets up the table, and gives Ada her link.
  const robin = await visit(service.base)
  const teller = robin.page
  await signInWithKey(teller, key)
  await teller.getByRole('button', { name: 'Set up a table' }).click()
  await teller.getByRole('heading', { name: 'The table is ready' }).waitFor()
  const link = await teller.getByRole('textbox', { name: 'Link for Ada' }).inputValue()
  await teller.getByRole('link', { name: 'Open the table' }).click()
  await teller.getByRole('region', { name: 'Dice tray' }).waitFor()

  const ada = await visit(service.base, new URL(link).href.split('/console')[1])
  const player = ada.page
  const received = await listen(player)
  await player.getByRole('button', { name: 'Sign in' }).click()
  await player
    .getByRole('link', { name: /Nine Strokes at Wendlemere/ })
    .first()
    .click()
  await player.getByRole('region', { name: 'Dice tray' }).waitFor()

  // Ada rolls with the traits of her character, and Robin sees it fall.
  // The tray begins as the last roll did: with a pool.
  await waitFor(() => player.getByRole('radio', { name: 'Pool' }).isChecked(), true)
  await player.getByRole('button', { name: /^Wits \d/ }).click()
  await player.getByRole('button', { name: 'Roll', exact: true }).click()
  await entry(teller, /wits, difficulty 6/)
    .last()
    .waitFor()

  // Danger rises, and a clock moves.
  await teller.getByRole('button', { name: 'Raise danger' }).click()
  await entry(player, /Danger rose from/).waitFor()
  const before = await player.getByRole('img', { name: /^Names lost: / }).getAttribute('aria-label')
  await teller.getByRole('button', { name: 'Names lost: one more' }).click()
  await waitFor(async () => (await player.getByRole('img', { name: /^Names lost: / }).getAttribute('aria-label')) !== before, true)

  // Robin rolls in secret: Ada learns nothing of it.
  await teller.getByRole('button', { name: /^As / }).click()
  await teller.getByLabel('What for').fill('The sexton listens')
  await teller.getByLabel('Who sees it').selectOption('STORYTELLER')
  await teller.getByRole('radio', { name: 'Notation' }).check()
  await teller.getByRole('textbox', { name: 'Dice', exact: true }).fill('1d20')
  await teller.getByRole('button', { name: 'Roll', exact: true }).click()
  await entry(teller, 'The sexton listens').waitFor()

  // The story is written down, and Ada reads it.
  await navigate(teller, 'Chronicle')
  await teller
    .getByRole('button', { name: /^Add a chapter to/ })
    .first()
    .click()
  const writing = teller.getByRole('dialog')
  await writing.getByLabel('Name', { exact: true }).fill('What the bell remembers')
  await writing.getByRole('button', { name: 'Save', exact: true }).click()
  await navigate(player, 'Chronicle')
  await player.getByRole('link', { name: /What the bell remembers/ }).waitFor()

  // The evening ends with experience, which Ada sees at once.
  await navigate(player, 'Ledger')
  await navigate(teller, 'Ledger')
  await teller.getByRole('button', { name: 'Award' }).first().click()
  await teller.getByRole('dialog').getByLabel('Reason').fill('An evening well played')
  await teller
    .getByRole('dialog')
    .getByRole('button', { name: /^Award / })
    .click()
  await entry(player, 'An evening well played').first().waitFor()

  // Ada looks at the proof of a roll.
  await navigate(player, 'Dice')
  await player.getByRole('link', { name: 'Verify this roll' }).first().click()
  await player.locator('.step').first().waitFor()

  // Nothing that is secret has reached Ada: neither the roll nor the sexton, whom only storytellers know.
  const everything = [await player.content(), received.traffic(), await received.memory()].join('\n')
  assert.doesNotMatch(everything, /The sexton listens|Tobias Quill|loses patience/)
  assert.match(everything, /What the bell remembers/)

  // Robin signs out, and goes back to the sign-in page.
  await teller.getByRole('button', { name: 'Sign out' }).click()
  await teller.getByLabel('API key').waitFor()
  robin.assertClean()
  ada.assertClean()
})
