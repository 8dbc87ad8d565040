import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

/** The provider’s pages have the server’s configured address, which isn’t that of the test. */
const reachProvider = (page: Page) =>
  page.route('**/setup-intents', async (route) => {
    const response = await route.fetch()
    const headers = response.headers()
    const { pathname } = new URL(headers['hx-redirect'] ?? '')
    await route.fulfill({ response, headers: { ...headers, 'hx-redirect': stage.server.url + pathname } })
  })

/** On the provider’s page, which leads back. */
async function saveCard(page: Page, number: string): Promise<void> {
  await main(page).getByRole('button', { name: 'Add card' }).click()
  await page.waitForURL(/\/dev\/payments\/checkout\//)
  await page.getByLabel('Test card').selectOption(number)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/pay\/customers\//)
}

const methods = (page: Page) => main(page).getByRole('region', { name: 'Payment methods' })

test.each([1440, 360])(
  'PAY-30 customer is created, found and edited, and saves cards on the provider’s page, at %d px',
  async (width) => {
    const name = `Lena Vogt ${width}`
    const { page, errors } = await ada.open('/pay/customers', { width })
    await reachProvider(page)
    await main(page).getByRole('button', { name: 'New customer' }).first().click()
    const created = page.getByRole('dialog', { name: 'New customer' })
    await created.getByLabel('Name').fill(name)
    await created.getByLabel('Email').fill(`lena${width}@example.com`)
    await created.getByRole('button', { name: 'Create customer' }).click()
    await page.waitForURL(/\/pay\/customers\/[\w-]{36}$/)
    await methods(page).getByText('No saved cards').waitFor()
    await main(page).getByRole('button', { name: 'Edit' }).click()
    const edited = page.getByRole('dialog', { name: 'Edit customer' })
    await edited.getByLabel('Phone').fill('+49 30 5550184')
    await edited.getByRole('button', { name: 'Save' }).click()
    await main(page).getByText('+49 30 5550184').waitFor()
    await main(page).getByRole('region', { name: 'Activity' }).getByText('Details changed').waitFor()

    await saveCard(page, '4242424242424242')
    await methods(page).getByText('Visa ending 4242').waitFor()
    await saveCard(page, '4000000000000259')
    const second = methods(page).getByRole('listitem').filter({ hasText: 'Visa ending 0259' })
    await second.waitFor()
    await second.getByRole('button', { name: 'Actions for Visa ending 0259' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Make default' }).click()
    await second.getByText('Default').waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await methods(page).getByRole('button', { name: 'Actions for Visa ending 4242' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await methods(page).getByText('Visa ending 4242').waitFor({ state: 'detached' })

    await main(page).getByRole('link', { name: 'Customers' }).click()
    await main(page).getByPlaceholder('Name, email, or tax number').fill(`lena${width}`)
    await main(page).getByRole('row', { name }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll('#customers tbody tr').length === 1)
    expect(errors).toEqual([])
  },
)

interface Ids {
  id: string
}

/** With a card that is saved at the provider. */
async function customerWithCard(name: string, number: string): Promise<Ids> {
  const customer = await ada.fetchJson<Ids>('POST /api/customers', { name, email: `${Bun.hash(name)}@example.com` })
  const { url } = await ada.fetchJson<{ url: string }>(`POST /api/customers/${customer.id}/setup-intents`, {})
  const body = new URLSearchParams({ outcome: 'pay', email: 'c@example.com', number })
  await fetch(`${stage.server.url}${new URL(url).pathname}`, { method: 'POST', body, redirect: 'manual' })
  await ada.fetchJson(`POST /api/customers/${customer.id}/payment-methods/check`, {})
  return customer
}

test('PAY-30 new order gets its customer by search with the keyboard, and is charged to the saved card', async () => {
  const { id } = await customerWithCard('Theo Kraus', '4242424242424242')
  await ada.fetchJson('POST /api/customers', { name: 'Another One' })
  const { page, errors } = await ada.open('/pay/orders')
  await main(page).getByRole('button', { name: 'New order' }).first().click()
  const form = page.getByRole('dialog', { name: 'New order' })
  await form.getByLabel('Item').first().fill('Latte')
  await form.getByLabel('Price').first().fill('3.50')
  await form.getByRole('searchbox').fill('theo')
  await form.getByRole('radio', { name: /Theo Kraus/ }).waitFor()
  await form.getByRole('radio', { name: /Another One/ }).waitFor({ state: 'detached' })
  expect(await flawsOf(page)).toEqual({})
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  expect(await form.getByRole('radio', { name: /Theo Kraus/ }).isChecked()).toBe(true)
  // The choice remains when something else is looked for.
  await form.getByRole('searchbox').fill('another')
  await form.getByRole('radio', { name: /Another One/ }).waitFor()
  expect(await form.getByRole('radio', { name: /Theo Kraus/ }).isChecked()).toBe(true)
  await form.getByRole('button', { name: 'Create order' }).click()
  await page.getByRole('heading', { level: 1, name: '€3.50' }).waitFor()
  await main(page).getByRole('link', { name: 'Theo Kraus' }).waitFor()

  await main(page).getByRole('button', { name: 'Charge card' }).click()
  const charge = page.getByRole('dialog', { name: 'Charge a saved card' })
  expect(await charge.getByLabel('Card').locator('option').allTextContents()).toEqual(['Visa ending 4242, default'])
  expect(await flawsOf(page)).toEqual({})
  await charge.getByRole('button', { name: 'Charge €3.50' }).click()
  await status(page, 'Paid').waitFor()
  await page.goto(`${stage.server.url}/pay/customers/${id}`)
  const activity = main(page).getByRole('region', { name: 'Activity' })
  await activity.getByText('Saved card charged').waitFor()
  await activity.getByText('Paid').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-30 declined card says so in the dialog, and the customer can pay otherwise', async () => {
  const { id: customerId } = await customerWithCard('Declined Later', '4000000000000341')
  const draft = { currency: 'EUR', customerId, lines: [{ name: 'Mug', quantity: 1, unitAmount: 1_100 }] }
  const order = await ada.fetchJson<Ids>('POST /api/orders', draft)
  const { page, errors } = await ada.open(`/pay/orders/${order.id}`)
  await main(page).getByRole('button', { name: 'Charge card' }).click()
  const charge = page.getByRole('dialog', { name: 'Charge a saved card' })
  await charge.getByRole('button', { name: 'Charge €11.00' }).click()
  await charge.getByText('Your card was declined').waitFor()
  await charge.getByRole('button', { name: 'Cancel' }).click()
  await status(page, 'Failed').first().waitFor()
  await main(page).getByRole('button', { name: 'Create payment link' }).waitFor()
  expect(errors.filter((error) => !error.includes(' 402 '))).toEqual([])
})
