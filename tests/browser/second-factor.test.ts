import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { totp } from '../support/totp.ts'
import { main, openTestSite, createPublisher, type TestSite } from './test-site.ts'
import { dashboardOf, signIn } from './person.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

/** Adds a virtual authenticator with user verification. */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = {
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...options },
  })
}

const here = dashboardOf

/** Confirms a dialog with the password. */
async function confirm(page: Page, title: string, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
}

test('IDN-08 person adds a passkey and an authenticator app and signs in with each', async () => {
  const { person } = await createPublisher(stage)
  // Browsers keep passkeys for host names, not for IP addresses.
  const url = stage.server.url.replace('127.0.0.1', 'localhost')
  const { page, errors } = await openPage(stage.browser, {
    url: `${url}/login?next=/settings/security`,
    expected: [401, 422],
  })
  await plugIn(page)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Sign in without a password' }).waitFor()

  await page.getByRole('button', { name: 'Add passkey' }).click()
  await confirm(page, 'Add a passkey', 'wrong')
  await page.getByText('Incorrect password').waitFor()
  await confirm(page, 'Add a passkey', person.password)
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('My laptop')
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText('My laptop', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add passkey' }).waitFor()
  expect(await axe(page)).toEqual([])
  await signOut(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await here(page).waitFor()

  await page.goto(`${url}/settings/security`)
  await page.getByRole('button', { name: 'Set up' }).click()
  await confirm(page, 'Set up an authenticator app', person.password)
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await page.getByText('Can’t scan it?').click()
  const secret = await page.locator('[data-secret]').innerText()
  await page.getByLabel('Code from the app').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const codes = (await page.getByLabel('Recovery codes').innerText()).split('\n')
  expect(codes.length).toBe(10)
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 left').waitFor()

  await signOut(page)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByRole('button', { name: 'Use a passkey' }).waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Six-digit code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('[aria-invalid=true]:focus').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await page.getByText('Incorrect or already used code').waitFor()
  await page.getByRole('link', { name: 'Use a recovery code' }).click()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await here(page).waitFor()

  await page.goto(`${url}/settings/security`)
  await page.getByText('9 left').waitFor()
  await page.getByRole('button', { name: 'More about My laptop' }).click()
  await page.getByRole('button', { name: 'Remove' }).filter({ visible: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove My laptop?' })
  await dialog.getByLabel('Your password').fill(person.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Passkey removed').waitFor()
  expect(await page.getByText('My laptop', { exact: true }).count()).toBe(0)
  expect(errors).toEqual([])
})

test('IDN-08 person without a password confirms changes with an emailed code and with a passkey', async () => {
  const { person } = await createPublisher(stage)
  const url = stage.server.url.replace('127.0.0.1', 'localhost')
  const { page, errors } = await openPage(stage.browser, { url: `${url}/login?next=/settings/security` })
  await plugIn(page)
  await signIn(page, person)
  await page.getByRole('heading', { name: 'Sign in without a password' }).waitFor()
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE identity.users SET password_hash = NULL WHERE email = ${person.email}`
  await close()

  await page.reload()
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByRole('button', { name: 'Email me a code' }).click()
  await dialog.getByText(`We sent a code to ${person.email}`).waitFor()
  expect(await axe(page)).toEqual([])
  await dialog.getByLabel('Code', { exact: true }).fill(await codeIn(page, url))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create passkey' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).getByText('This device', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Add recovery email' }).click()
  const recovery = page.getByRole('dialog', { name: 'Set your recovery email' })
  await recovery.getByLabel('Recovery email').fill(`home-${person.email}`)
  await recovery.getByRole('button', { name: 'Use a passkey instead' }).click()
  await main(page).getByText('Not confirmed yet').waitFor()
  expect(errors).toEqual([])
})

test('IDN-08 dialog shows whether the code was emailed, and is empty when opened again', async () => {
  const { person, open } = await createPublisher(stage)
  const { page, errors } = await open('/settings/profile', { expected: [409] })
  const { sql, close } = openDatabase(stage.database.url, 1)
  const [user] = await sql`SELECT password_hash FROM identity.users WHERE email = ${person.email}`
  await sql`UPDATE identity.users SET password_hash = NULL WHERE email = ${person.email}`
  await page.reload()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const mailMe = dialog.getByRole('button', { name: 'Email me a code' })
  const sent = dialog.getByText(`We sent a code to ${person.email}`)
  await main(page).getByRole('button', { name: 'Delete account' }).first().click()
  await dialog.locator('[name=confirm]:focus').waitFor()
  await dialog.getByLabel('Email address').fill(person.email)
  await mailMe.click()
  await sent.waitFor()
  expect(await dialog.getByLabel('Email address').inputValue()).toBe(person.email)

  await sql`UPDATE identity.users SET password_hash = ${user?.password_hash} WHERE email = ${person.email}`
  await mailMe.click()
  await dialog.getByText('Use your password').waitFor()
  await close()

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await main(page).getByRole('button', { name: 'Delete account' }).first().click()
  expect(await dialog.getByLabel('Email address').inputValue()).toBe('')
  expect(await dialog.getByText('Use your password').count()).toBe(0)
  expect(errors).toEqual([])
})

/** Reads the code of the newest mail in another tab. */
async function codeIn(page: Page, url: string): Promise<string> {
  const mailbox = await page.context().newPage()
  await mailbox.goto(`${url}/dev/mailbox`)
  await mailbox.getByRole('link', { name: 'Your Atrium verification code' }).first().click()
  const text = await mailbox
    .getByText(/Your code is/)
    .first()
    .innerText()
  await mailbox.close()
  return /Your code is (\d{4} \d{4})/.exec(text)?.[1] ?? ''
}
