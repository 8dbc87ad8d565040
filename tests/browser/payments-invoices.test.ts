import { afterAll, beforeAll, expect, test } from 'bun:test'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-30 invoice is drafted, edited, issued, marked as paid and found in its list', async () => {
  const { page, errors } = await ada.open('/pay/invoices')
  await main(page).getByRole('heading', { name: 'No invoices yet' }).waitFor()
  await main(page).getByRole('button', { name: 'New invoice' }).first().click()
  const created = page.getByRole('dialog', { name: 'New invoice' })
  await created.getByLabel('Name').fill('Café Ostkreuz')
  await created.getByLabel('Item').first().fill('Barista training')
  await created.getByLabel('Price').first().fill('180.00')
  await created.getByLabel('Tax %').first().fill('19')
  expect(await flawsOf(page)).toEqual({})
  await created.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL(/\/pay\/invoices\/[\w-]{36}$/)
  await status(page, 'Draft').waitFor()
  expect(await flawsOf(page)).toEqual({})

  await main(page).getByRole('button', { name: 'Edit' }).click()
  const edited = page.getByRole('dialog', { name: 'Edit draft' })
  await edited.getByLabel('Quantity').first().fill('2')
  await edited.getByRole('button', { name: 'Save draft' }).click()
  await main(page).getByRole('heading', { name: '€428.40' }).waitFor()

  await main(page).getByRole('button', { name: 'Issue' }).click()
  await page.getByRole('dialog', { name: 'Issue invoice?' }).getByRole('button', { name: 'Issue' }).click()
  await status(page, 'Open').waitFor()
  await main(page).getByRole('button', { name: 'Mark as paid' }).click()
  await page.getByRole('dialog', { name: 'Mark as paid' }).getByRole('button', { name: 'Mark as paid' }).click()
  await status(page, 'Paid').waitFor()

  await main(page).getByRole('link', { name: 'Invoices' }).click()
  const row = main(page).getByRole('row', { name: /Café Ostkreuz/ })
  await row.getByText('€428.40').waitFor()
  await main(page).getByText('No gaps').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-35 order is invoiced from its page; the credit note of its refund appears on the open invoice', async () => {
  const { id: orderId } = await sellerOn(stage, ada).sell('Grinder', 5_000)
  const { page, errors } = await ada.open(`/pay/orders/${orderId}`)
  await main(page).getByRole('button', { name: 'More actions' }).click()
  await main(page).getByRole('button', { name: 'Create invoice' }).click()
  await page.waitForURL(/\/pay\/invoices\/[\w-]{36}$/)
  await ada.fetchJson(`POST /api/invoices/${new URL(page.url()).pathname.split('/').at(-1)}/issue`)
  await status(page, 'Paid').waitFor()
  await ada.fetchJson('POST /api/refunds', { orderId, amount: 4_000 })
  const notes = main(page).getByRole('region', { name: 'Credit notes' })
  await notes.getByText('−€40.00').waitFor()
  await notes.getByRole('link').click()
  await main(page).getByRole('heading', { name: '−€40.00' }).waitFor()
  await status(page, 'Credited').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-30 form of an invoice shows errors next to its fields; its draft is deleted; empty lists lead on', async () => {
  const { page, errors } = await ada.open('/pay/invoices', { expected: [422] })
  await main(page).getByRole('button', { name: 'New invoice' }).first().focus()
  await page.keyboard.press('Enter')
  const created = page.getByRole('dialog', { name: 'New invoice' })
  await created.getByLabel('Name').fill('Kantine')
  await created.getByLabel('Item').first().fill('Beans')
  await created.getByLabel('Price').first().fill('12.345')
  await page.keyboard.press('Enter')
  const price = created.getByLabel('Price').first()
  await price.and(created.locator('[aria-invalid=true]')).waitFor()
  await created.getByText(/2 decimal places/).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await price.fill('12.34')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/pay\/invoices\/[\w-]{36}$/)
  await main(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Delete draft' }).first().click()
  await page.getByRole('dialog', { name: 'Delete draft?' }).getByRole('button', { name: 'Delete draft' }).click()
  await page.waitForURL('**/pay/invoices')
  expect(
    await main(page)
      .getByRole('row', { name: /Kantine/ })
      .count(),
  ).toBe(0)

  await page.goto(`${stage.server.url}/pay/invoices?q=nothing-like-it`)
  await main(page).getByRole('heading', { name: 'No matching invoices' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('link', { name: 'Clear filters' }).last().click()
  await page.goto(`${stage.server.url}/pay/invoices?status=overdue`)
  await main(page)
    .getByRole('link', { name: /^Show all invoices/ })
    .click()
  await page.waitForURL('**/pay/invoices')
  expect(errors).toEqual([])
})
