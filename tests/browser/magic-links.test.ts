import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, createPublisher, type TestSite } from './test-site.ts'
import { dashboardOf } from './person.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('IDN-42 person signs in with an email link that a scanner has already opened', async () => {
  const { person } = await createPublisher(stage)
  const opening = { url: `${stage.server.url}/login`, width: 360, expected: [404] }
  const { page, errors } = await openPage(stage.browser, opening)
  await page.getByRole('link', { name: 'Email me a link' }).click()
  await page.getByLabel('Email').fill(person.email)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('link', { name: 'mailbox' }).click()
  await page.getByRole('link', { name: 'Your Atrium sign-in link' }).first().click()
  const href = await page
    .getByRole('link', { name: /magic-link/ })
    .first()
    .getAttribute('href')

  const scanner = await openPage(stage.browser, { url: href ?? '' })
  await scanner.page.waitForLoadState('networkidle')
  const cookies = await scanner.page.context().cookies()
  expect(cookies.map(({ name }) => name)).toEqual(['zone'])

  await page.goto(href ?? '')
  await page.getByText('already opened').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: /^Sign in as/ }).click()
  await dashboardOf(page).waitFor()
  await page.goto(href ?? '')
  await page.getByRole('link', { name: 'Email me a new link' }).waitFor()
  expect(errors).toEqual([])
})
