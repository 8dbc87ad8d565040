import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, createPublisher, type TestSite } from './test-site.ts'
import { dashboardOf, signIn } from './person.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

const main = (page: Page) => page.getByRole('main')
const section = (page: Page, name: string) => main(page).getByRole('region', { name })

/** Follows the link of the newest mail with this subject in the development mailbox. */
async function followMail(page: Page, subject: string, path: RegExp): Promise<void> {
  await page.goto(`${stage.server.url}/dev/mailbox`)
  await page.getByRole('link', { name: subject }).first().click()
  const href = await page.getByRole('link', { name: path }).first().getAttribute('href')
  await page.goto(href ?? '')
}

test('IDN-07 IDN-08 person who forgot their password resets it by email, at 360 px', async () => {
  const { person } = await createPublisher(stage)
  const opening = { url: `${stage.server.url}/login`, width: 360, expected: [404, 422] }
  const { page, errors } = await openPage(stage.browser, opening)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  expect(await axe(page)).toEqual([])

  await followMail(page, 'Reset your Atrium password', /password-reset/)
  const link = page.url()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('New password').fill('password1234')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('appeared in a data breach').waitFor()
  await page.getByLabel('New password').fill('another horse battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  await signIn(page, { ...person, password: 'another horse battery' })
  await dashboardOf(page).waitFor()

  await page.goto(link)
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('IDN-07 IDN-08 person sets a recovery email and changes their email address', async () => {
  const { person, open } = await createPublisher(stage)
  const { page, errors } = await open('/settings/security', { expected: [422] })
  const addresses = section(page, 'Email addresses')
  await addresses.getByRole('button', { name: 'Add recovery email' }).click()
  const recovery = page.getByRole('dialog', { name: 'Set your recovery email' })
  await recovery.getByLabel('Recovery email').fill(`recovery-${person.email}`)
  await recovery.getByLabel('Your password').fill('wrong')
  await recovery.getByRole('button', { name: 'Send link' }).click()
  await recovery.locator('[aria-invalid=true]:focus').waitFor()
  expect(await axe(page)).toEqual([])
  // Only the row changes: the page isn't loaded again, and the focus stays in the row.
  await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''))
  const isSamePage = () => page.evaluate(() => document.body.hasAttribute('data-loaded-once'))
  await recovery.getByLabel('Your password').fill(person.password)
  await recovery.getByRole('button', { name: 'Send link' }).click()
  await addresses.getByText('Not confirmed yet').waitFor()
  await addresses.getByRole('button', { name: 'More about the recovery email' }).and(page.locator(':focus')).waitFor()
  await recovery.waitFor({ state: 'hidden' })
  expect(await isSamePage()).toBe(true)
  await followMail(page, 'Confirm your recovery email', /recovery-email/)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await addresses.getByText('Confirmed', { exact: true }).waitFor()

  await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''))
  await addresses.getByRole('button', { name: 'Change email' }).click()
  const address = page.getByRole('dialog', { name: 'Change your email address' })
  await address.getByLabel('New email').fill(`new-${person.email}`)
  await address.getByLabel('Your password').fill(person.password)
  await address.getByRole('button', { name: 'Send links' }).click()
  await addresses.getByText(`new-${person.email} not yet`).waitFor()
  await address.waitFor({ state: 'hidden' })
  expect(await isSamePage()).toBe(true)
  expect(await axe(page)).toEqual([])
  await followMail(page, 'Confirm your email change', /email-change/)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'One more confirmation' }).waitFor()
  await followMail(page, 'Confirm your new email address', /email-change/)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(`From now on, sign in with new-${person.email}`).waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()

  expect(errors).toEqual([])
})

test('IDN-03 person sees the devices of their sessions and signs out all others', async () => {
  const { person } = await createPublisher(stage)
  const url = `${stage.server.url}/login?next=/settings/sessions`
  const { page, errors } = await openPage(stage.browser, { url, width: 360 })
  await signIn(page, person)
  const sessions = main(page).getByRole('list', { name: 'Your sessions' })
  await sessions.getByText('Chrome on Linux').waitFor()
  expect(await axe(page)).toEqual([])
  expect(await sessions.getByRole('listitem').first().innerText()).toContain('This device')
  await main(page).getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('Other session ended').waitFor()
  expect(await sessions.getByRole('listitem').count()).toBe(1)
  expect(errors).toEqual([])
})
