import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPage } from '../support/browser.ts'
import { flawsOf } from './payments-site.ts'
import { newPerson, register, signIn } from './person.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite({ ONBOARDING: 'true' })
})
afterAll(() => stage.close())

test('DSH-04 new person takes all steps with the keyboard, and continues in another browser after a sign-out', async () => {
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

  // The waiting page goes on by itself.
  await page.getByRole('heading', { name: 'Choose your apps' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.reload()
  await page.getByRole('button', { name: 'Continue' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Invite your team' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/login')

  const second = await openPage(stage.browser, { url: `${stage.server.url}/login`, expected: [409, 422] })
  await signIn(second.page, person)
  await second.page.getByRole('heading', { name: 'Invite your team' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.getByRole('link', { name: 'Back' }).focus()
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'Choose your apps' }).waitFor()
  await second.page.goBack()
  const add = second.page.getByRole('button', { name: 'Add another' })
  for (let row = 4; row <= 10; row += 1) {
    expect(await second.page.getByLabel(`Email of person ${row}`).isVisible()).toBe(false)
    await add.press('Enter')
    await second.page.locator(`#invite-${row - 1}:focus`).waitFor()
  }
  expect(await add.isVisible()).toBe(false)
  await second.page.getByLabel('Email of person 1', { exact: true }).fill(`paul-${person.email}`)
  await second.page.getByLabel('Email of person 2').fill(person.email)
  await second.page.keyboard.press('Enter')
  // A refusal keeps what was typed.
  await second.page.locator('#invite-1[aria-invalid=true]').waitFor()
  expect(await second.page.getByLabel('Email of person 1', { exact: true }).inputValue()).toBe(`paul-${person.email}`)
  await second.page.getByLabel('Email of person 2').fill('')
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'Create your first brand' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.getByLabel('Name', { exact: true }).fill('Acme Coffee')
  await second.page.keyboard.press('Enter')
  await second.page.getByRole('heading', { name: 'You’re ready' }).waitFor()
  expect(await flawsOf(second.page)).toEqual({})
  await second.page.keyboard.press('Enter')
  await second.page.waitForURL((url) => url.pathname !== '/onboarding' && url.pathname !== '/')
  await second.page.goto(`${stage.server.url}/dashboard`)
  await second.page.getByRole('heading', { name: 'Dashboard' }).first().waitFor({ state: 'attached' })
  expect(new URL(second.page.url()).pathname).toBe('/dashboard')
  expect([...errors, ...mailbox.errors, ...second.errors]).toEqual([])
})
