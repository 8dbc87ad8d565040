import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { freePort } from '#lib/postgres/launch.ts'
import { axe, openPage } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite

beforeAll(async () => {
  // The practice provider’s pages are at this port.
  stage = await openTestSite({ PORT: String(freePort()) })
  // A server without accounts has no front page.
  await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

const widths = [390, 1280]

async function expectNoFlaws(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect({ width, axe: await axe(page), layout: await layoutFaults(page) }).toEqual({ width, axe: [], layout: [] })
  }
}

const factOf = (page: Page, name: string) =>
  main(page).locator('dt', { hasText: name }).first().locator('xpath=following-sibling::dd[1]')

test('DSH-30 stranger buys a package from the front page, lands signed in with apps and seats, and has an invoice in the mailbox', async () => {
  const email = `bakery-${Bun.randomUUIDv7('hex').slice(-10)}@example.com`
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/` })
  await main(page).getByRole('link', { name: 'Get started' }).first().click()
  await main(page).getByRole('link', { name: 'Choose Three' }).click()
  await page.getByRole('heading', { level: 1, name: 'Create your organization' }).waitFor()
  await expectNoFlaws(page)
  expect(await page.getByRole('radio', { name: /^Three/ }).isChecked()).toBe(true)
  await page.getByLabel('Seats').fill('4')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Organization name').fill('Corner Bakery')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Pay €36.00' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor()
  await page.getByText('2 paid apps').waitFor()
  await expectNoFlaws(page)
  await page.getByRole('button', { name: 'Open Atrium' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  await page.goto(`${stage.server.url}/settings/billing`)
  expect(await factOf(page, 'Package').textContent()).toBe('Three')
  expect(await factOf(page, 'Apps').textContent()).toBe('2 of 3 installed')
  expect(await factOf(page, 'Seats').textContent()).toBe('1 of 4 in use')

  await page.goto(`${stage.server.url}/dev/mailbox?q=${encodeURIComponent(email)}`)
  await main(page)
    .getByRole('link', { name: /^Invoice .*Corner Bakery: €36\.00 paid$/ })
    .click()
  const link = page.getByRole('link', { name: /invoices/ }).first()
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByText('36.00 · paid').waitFor()
  expect(errors).toEqual([])
})
