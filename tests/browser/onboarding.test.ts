import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPage } from '../support/browser.ts'
import { flawsOf } from './payments-site.ts'
import { newPerson, register } from './person.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite({ ONBOARDING: 'true' })
})
afterAll(() => stage.close())

test('DSH-04 new person confirms a recovery email in another window and the page continues to the dashboard', async () => {
  const person = newPerson()
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, expected: [422] })
  await register(page, person)
  await page.waitForURL((url) => url.pathname !== '/register')
  await page.goto(`${stage.server.url}/dashboard`)
  await page.getByRole('heading', { name: 'Confirm your recovery email' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.getByLabel('Personal email').fill(`home-${person.email}`)
  await page.getByLabel('Your password').fill('wrong')
  await page.keyboard.press('Enter')
  await page.locator('[aria-invalid=true]:focus').waitFor()
  await page.getByLabel('Your password').fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByText('Open the link we sent').waitFor()
  // Interrupted, it is where it was.
  await page.goto(`${stage.server.url}/apps`)
  await page.getByText('Open the link we sent').waitFor()
  expect(await flawsOf(page)).toEqual({})

  const mailbox = await openPage(stage.browser, { url: `${stage.server.url}/dev/mailbox` })
  await main(mailbox.page)
    .getByRole('listitem')
    .filter({ hasText: `home-${person.email}` })
    .getByRole('link')
    .first()
    .click()
  const link = mailbox.page.getByRole('link', { name: /recovery-email/ }).first()
  await mailbox.page.goto((await link.getAttribute('href')) ?? '')
  await mailbox.page.getByRole('button', { name: 'Confirm' }).click()
  await mailbox.page.getByRole('heading', { name: 'Your recovery email is confirmed' }).waitFor()

  await page.waitForURL((url) => url.pathname !== '/onboarding')
  await page.goto(`${stage.server.url}/dashboard`)
  await page.getByRole('heading', { name: 'Dashboard' }).first().waitFor({ state: 'attached' })
  expect(new URL(page.url()).pathname).toBe('/dashboard')
  expect([...errors, ...mailbox.errors]).toEqual([])
})
