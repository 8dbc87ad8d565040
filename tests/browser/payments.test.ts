import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-02 seller creates the first order from the empty list, and the customer pays it at the provider', async () => {
  const { page, errors } = await ada.open('/pay/orders')
  await page.screenshot({ path: '/tmp/p1.png' })
  await main(page).getByText('No orders yet').waitFor()
  await main(page).getByRole('button', { name: 'New order' }).last().click()
  const form = page.getByRole('dialog', { name: 'New order' })
  await page.screenshot({ path: '/tmp/p2.png' })
  await form.getByRole('group', { name: 'Line 1' }).getByLabel('Item').fill('Flat white')
  await form.getByRole('group', { name: 'Line 1' }).getByLabel('Price').fill('3.5x')
  await form.getByRole('button', { name: 'Create order' }).click()
  await form.getByText('Must be a decimal number').waitFor()
  await form.getByRole('group', { name: 'Line 1' }).getByLabel('Price').fill('3.50')
  await form.getByLabel('Customer’s email').fill('lena@example.com')
  await form.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('heading', { level: 1, name: '€3.50' }).waitFor()
  await page.screenshot({ path: '/tmp/p3.png', fullPage: true })
  await page.getByRole('button', { name: 'Create payment link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const link = main(page).getByLabel('Payment link', { exact: true })
  await link.waitFor()
  await page.screenshot({ path: '/tmp/p4.png', fullPage: true })
  const customer = await page.context().newPage()
  const { pathname } = new URL((await link.textContent()) ?? '')
  await customer.goto(stage.server.url + pathname)
  await customer.getByRole('button', { name: 'Pay' }).click()
  await customer.waitForURL(/\/pay\/receipts\//)
  await main(page).getByRole('button', { name: 'Check now' }).click()
  await status(page, 'Paid').waitFor()
  await page.screenshot({ path: '/tmp/p5.png', fullPage: true })
  expect(await axe(page)).toEqual([])
  for (const width of [320, 480, 720, 900, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect([width, await layoutFaults(page)]).toEqual([width, []])
  }
  await page.setViewportSize({ width: 360, height: 900 })
  await page.screenshot({ path: '/tmp/p6.png', fullPage: true })
  await page.goto(`${stage.server.url}/pay/orders`)
  await main(page)
    .getByText('Flat')
    .first()
    .waitFor({ timeout: 1000 })
    .catch(() => undefined)
  await page.screenshot({ path: '/tmp/p7.png', fullPage: true })
  await page.setViewportSize({ width: 1300, height: 900 })
  await page.screenshot({ path: '/tmp/p8.png', fullPage: true })
  expect(await axe(page)).toEqual([])
  expect(errors.filter((error) => !error.includes('422'))).toEqual([])
})
