import type { Page } from 'playwright-core'

// Ways through the page that signs in, and past it.

const isSignedIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor()

/** Signs in with an API key, on the page that asks for it. */
export async function signInWithKey(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await page.getByLabel('API key').press('Enter')
  await isSignedIn(page)
}

/** Signs in with a sign-in link, which names another address than that of the service in the test. */
export async function signInWithLink(page: Page, base: string, link: string): Promise<void> {
  const { pathname, hash } = new URL(link)
  await page.goto(base + pathname + hash)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await isSignedIn(page)
}

/** Gives a page a session without the page that signs in, which has tests of its own. */
export async function enter(page: Page, secret: string): Promise<void> {
  const cookie = { name: '__Host-guildhall', value: secret, domain: '127.0.0.1', path: '/' }
  await page.context().addCookies([{ ...cookie, httpOnly: true, secure: true, sameSite: 'Strict' }])
}
