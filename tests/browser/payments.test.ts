import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { layoutFaults, layoutWidths } from '../support/layout.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

interface Order {
  id: string
  number: string
}

interface Payment {
  id: string
  checkoutUrl: string
}

/** Refused requests are logged by the browser. */
const unexpected = (errors: string[]) => errors.filter((error) => !error.includes(' 422 '))

async function payAt(page: Page, checkoutUrl: string): Promise<void> {
  await page.goto(stage.server.url + new URL(checkoutUrl).pathname)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.waitForURL(/\/pay\/receipts\//)
}

/** An order of two lines that is paid by a card. */
async function sell(): Promise<Order> {
  const order = await ada.fetchJson<Order>('POST /api/orders', {
    currency: 'EUR',
    lines: [
      { name: 'Flat white', quantity: 2, unitAmount: 350, taxRate: '19' },
      { name: 'Beans', quantity: 1, unitAmount: 1_240, taxRate: '7' },
    ],
    customer: { name: 'Lena Vogt', email: 'lena@example.com' },
  })
  const payment = await ada.fetchJson<Payment>('POST /api/payments', { orderId: order.id })
  const { page } = await ada.open('/pay')
  await payAt(page, payment.checkoutUrl)
  await page.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
  await page.close()
  return order
}

test('PAY-02 seller creates the first order from the empty list, and the customer pays it at the provider', async () => {
  const { page, errors } = await ada.open('/pay')
  await main(page).getByRole('link', { name: 'New order' }).click()
  const form = page.getByRole('dialog', { name: 'New order' })
  const line = form.getByRole('group', { name: 'Line 1' })
  await line.getByLabel('Item').fill('Flat white')
  await line.getByLabel('Price').fill('3.505')
  await form.getByRole('button', { name: 'Create order' }).click()
  await line.getByText('EUR allows 2 decimal places').waitFor()
  await line.getByLabel('Price').fill('3.50')
  await form.getByLabel('Customer’s email').fill('lena@example.com')
  await form.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('heading', { level: 1, name: '€3.50' }).waitFor()
  await page.getByRole('button', { name: 'Create payment link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const link = main(page).getByLabel('Payment link', { exact: true })
  await link.waitFor()
  const customer = await page.context().newPage()
  await payAt(customer, (await link.textContent()) ?? '')
  await customer.getByRole('heading', { name: 'Thank you for your order' }).waitFor()
  expect(await axe(customer)).toEqual([])
  await customer.close()

  // The receipt has read the payment, and this page is live.
  await status(page, 'Paid').waitFor()
  await main(page).getByText('€3.50 captured').waitFor()
  expect(unexpected(errors)).toEqual([])
})

test('PAY-11 seller refunds an amount and then a line in dialogs, by keyboard, and errors are at their fields', async () => {
  const { id } = await sell()
  const { page, errors } = await ada.open(`/pay/orders/${id}`)
  await status(page, 'Paid').waitFor()
  await page.getByRole('button', { name: 'Refund', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Refund order/ })
  const amount = dialog.getByLabel('Amount (EUR)')
  await amount.waitFor()
  expect(await amount.inputValue()).toBe('19.40')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.waitForFunction(() => document.activeElement?.id === 'open-refund')
  await page.keyboard.press('Enter')
  await amount.fill('19.41')
  await page.keyboard.press('Enter')
  await dialog.getByText('At most €19.40 can be refunded').first().waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'refund-amount')
  expect(await amount.getAttribute('aria-invalid')).toBe('true')
  await amount.fill('5')
  await page.keyboard.press('Enter')
  await status(page, 'Partially refunded').waitFor()
  await page.waitForFunction(() => document.activeElement?.id === 'open-refund')

  await page.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByRole('button', { name: 'Choose lines' }).click()
  const lines = page.getByRole('dialog', { name: 'Refund lines' })
  await lines.getByLabel('Flat white').fill('1')
  await lines.getByRole('button', { name: 'Refund lines' }).click()
  await main(page).getByRole('region', { name: 'Refunds' }).getByText('€3.50').waitFor()
  expect(unexpected(errors)).toEqual([])
})

test('PAY-31 order shows the ledger entries of its payment and refunds in the timeline', async () => {
  const { id } = await sell()
  await ada.fetchJson('POST /api/refunds', { orderId: id, amount: 100 })
  const { page, errors } = await ada.open(`/pay/orders/${id}`)
  const timeline = main(page).getByRole('region', { name: 'Timeline' })
  const paid = timeline.getByRole('listitem').filter({ hasText: 'captured, fee' })
  await paid.getByText('Ledger: payment captured, 3 entries, balanced').click()
  await paid.getByText('−€19.40').waitFor()
  await paid.getByText('Provider clearing').waitFor()
  const refunded = timeline.getByRole('listitem').filter({ hasText: 'Refund of €1.00' })
  await refunded.getByText('Ledger: refund created, 2 entries, balanced').waitFor()
  await refunded.getByText('Ledger: refund completed, 2 entries, balanced').waitFor()
  expect(await main(page).getByText('More ledger entries').count()).toBe(0)
  await timeline.getByText('Requested by customer. By ').waitFor()
  expect(errors).toEqual([])
})

test('PAY-02 list of orders is searched, filtered by status, and live', async () => {
  const { number } = await sell()
  const { page, errors } = await ada.open('/pay/orders')
  await main(page).getByRole('link', { name: number, exact: true }).waitFor()
  const { number: later } = await ada.fetchJson<Order>('POST /api/orders', {
    currency: 'EUR',
    lines: [{ name: 'Latte', unitAmount: 400 }],
    customer: { email: 'mina@example.com' },
  })
  await main(page).getByRole('link', { name: later, exact: true }).waitFor()
  await main(page).getByRole('searchbox').fill('mina')
  await page.waitForURL(/q=mina/)
  await main(page).getByRole('link', { name: number, exact: true }).waitFor({ state: 'detached' })
  await main(page).getByRole('link', { name: later, exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Status' }).getByRole('link', { name: /^Paid/ }).click()
  await main(page).getByText('No matching orders').waitFor()
  expect(errors).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'PLT-40 pages of payments keep their layout at every width and are accessible in the %s scheme',
  async (scheme) => {
    const { id } = await sell()
    await ada.fetchJson('POST /api/refunds', { orderId: id, amount: 100, note: 'Donaudampfschiff'.repeat(8) })
    const { page, errors } = await ada.open('/pay', { scheme })
    for (const path of ['/pay', '/pay/orders', `/pay/orders/${id}`]) {
      await page.goto(stage.server.url + path)
      await main(page).getByRole('heading', { level: 1 }).waitFor()
      for (const width of [...layoutWidths, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect([path, width, await layoutFaults(page)]).toEqual([path, width, []])
      }
      await page.setViewportSize({ width: 360, height: 900 })
      expect([path, await axe(page)]).toEqual([path, []])
    }
    expect(errors).toEqual([])
  },
)
