import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPage } from '../support/browser.ts'
import { openTestSite, type TestSite } from './test-site.ts'

// A visitor books a demo, moves it and cancels it by the page of its link.

let site: TestSite
beforeAll(async () => {
  site = await openTestSite({ DEMO_HOURS: '09:00-12:00,13:00-16:00' })
})
afterAll(() => site.close())

test.each([
  ['with scripts, in the time zone of the visitor', true, 'America/New_York'],
  ['without scripts, in the time zone of the team', false, 'Europe/Berlin'],
])('DSH-30 demo is booked, moved and canceled %s', async (_, javaScriptEnabled, timeZone) => {
  const { page, errors } = await openPage(site.browser, {
    url: `${site.server.url}/demo`,
    context: { javaScriptEnabled, timezoneId: 'America/New_York' },
  })
  await page
    .locator(`#zone[value="${timeZone}"], #zone option[value="${timeZone}"]:checked`)
    .first()
    .waitFor({ state: 'attached' })
  await page.locator('input[name=startsAt]:enabled').first().check({ force: true })
  await page.getByLabel('Name').fill('Cleo')
  await page.getByLabel('Email').fill(`cleo-${javaScriptEnabled}@example.com`)
  await page.getByRole('button', { name: 'Book this time' }).click()
  await page.getByText('Booked').first().waitFor()
  expect(page.url()).toContain('/demo/bookings/')
  await page.getByText('Move it to another time').click()
  await page.locator('details input[name=startsAt]:enabled').nth(1).check({ force: true })
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved. A new invitation').waitFor()
  await page.getByText('Cancel the demo').click()
  await page.getByRole('button', { name: 'Cancel demo' }).click()
  await page.getByText('Canceled').first().waitFor()
  expect(errors).toEqual([])
})
