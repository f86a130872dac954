import type { Page } from 'playwright-core'

/** Goes to a page of the navigation, which may be behind “More”. */
export async function navigate(page: Page, name: string): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Main' })
  const link = rail.getByRole('link', { name, exact: true })
  const more = rail.getByRole('button', { name: 'More' })
  await link.or(more).first().waitFor()
  if (!(await link.isVisible())) await more.click()
  await link.click()
}
