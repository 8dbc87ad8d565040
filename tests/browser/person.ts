import type { Page } from 'playwright-core'

/** What a person enters at sign-up. */
export interface Person {
  name: string
  email: string
  password: string
  workspace: string
}

/** A person with a unique email address. */
export function newPerson(): Person {
  const unique = Bun.randomUUIDv7('hex').slice(-10)
  const email = `ada-${unique}@example.com`
  return { name: 'Ada Lovelace', email, password: 'correct horse battery', workspace: `Acme ${unique}` }
}

/** Fills and submits the form of `/register`. */
export async function register(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Your name').fill(person.name)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByLabel('Organization', { exact: true }).fill(person.workspace)
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Fills and submits the form of `/login`. */
export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Where people are after sign-in. */
export const dashboardOf = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' })

/** Creates the first brand of an organization from its dashboard; the brand's accounts page follows. */
export async function createFirstBrand(page: Page, name: string): Promise<void> {
  await openFirstBrand(page)
  await nameFirstBrand(page, name)
}

export async function openFirstBrand(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Create your first brand' }).click()
  await page.getByRole('heading', { name: 'Create your first brand' }).waitFor()
}

export async function nameFirstBrand(page: Page, name: string): Promise<void> {
  const form = page.getByRole('main')
  await form.getByLabel('Name', { exact: true }).fill(name)
  await form.getByRole('button', { name: 'Create brand' }).click()
  await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
}

/** Connects a sandbox account on the open accounts page. */
export async function connectSandbox(page: Page, handle: string): Promise<void> {
  await page
    .getByRole('article', { name: 'Sandbox' })
    .getByRole('button', { name: /^Connect/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Connect Sandbox' })
  await dialog.getByLabel('Handle').fill(handle)
  await dialog.getByRole('button', { name: 'Connect' }).click()
  await page.getByText('Connected on').waitFor()
}

/** Connects an account in the open composer, and waits until its dialog is closed. */
export async function connectFromComposer(page: Page, network: string, fields: Record<string, string>): Promise<void> {
  await page.getByRole('button', { name: /^Connect (an )?account$/ }).click()
  await page.getByRole('button', { name: network, exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Connect ${network}` })
  for (const fold of await dialog.locator('summary').all()) await fold.click()
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await dialog.getByRole('button', { name: /^(Connect|Continue)$/ }).click()
  await dialog.waitFor({ state: 'hidden' })
}

/** Opens a page from the sidebar, which is a drawer on narrow screens. */
export async function openPlace(page: Page, name: string): Promise<void> {
  const more = page.getByRole('button', { name: 'More', exact: true })
  if (await more.isVisible()) await more.click()
  await page.locator('#sidebar').getByRole('link', { name, exact: true }).click()
}
