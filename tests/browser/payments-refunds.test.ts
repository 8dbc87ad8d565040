import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-11 refund is made by order number and amount, and is listed with its status', async () => {
  const { page, errors } = await ada.open('/pay/refunds', { expected: [404, 422] })
  await main(page).getByRole('heading', { name: 'No refunds yet' }).waitFor()
  const { number } = await sellerOn(stage, ada).sell('Grinder', 5_000)
  await main(page).getByRole('button', { name: 'New refund' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New refund' })
  await dialog.getByLabel('Order number').fill('1999-00001')
  await dialog.getByRole('button', { name: 'Find' }).click()
  await dialog.getByText('This order doesn’t exist').waitFor()
  await dialog.getByLabel('Order number').fill(number)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await dialog.getByText('Lena Vogt paid €100.00').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByLabel('Amount (EUR)').fill('100.01')
  await dialog.getByRole('button', { name: 'Refund amount' }).click()
  await dialog.getByText(/Must be at most|can be refunded|At most/).waitFor()
  await dialog.getByLabel('Amount (EUR)').fill('40.00')
  await dialog.getByRole('button', { name: 'Refund amount' }).click()
  await page.waitForURL(/\/pay\/refunds\/[\w-]{36}$/)
  await status(page, 'Succeeded').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('link', { name: 'Refunds' }).click()
  const row = main(page).getByRole('row', { name: new RegExp(number) })
  await row.getByText('€40.00').waitFor()
  await row.getByText('Succeeded').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-11 refund above the ceiling is approved from its card by a second person', async () => {
  await ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { EUR: 5_000 } })
  const { id, number } = await sellerOn(stage, ada).sell('Grinder', 10_000)
  const refund = await ada.fetchJson<{ id: string }>('POST /api/refunds', {
    orderId: id,
    lines: [{ position: 1, quantity: 1 }],
    reason: 'quality',
    note: 'Ground too coarse',
  })
  const { page, errors } = await ada.open(`/pay/refunds/${refund.id}`, { expected: [422] })
  await main(page).getByText('No one else can approve this').waitFor()
  expect(await flawsOf(page)).toEqual({})

  await requestAsAnother(refund.id)
  await page.goto(`${stage.server.url}/pay/refunds`)
  const card = main(page).getByRole('region', { name: /requested a €100.00 refund$/ })
  await card.getByText('1 × Grinder').waitFor()
  await card.getByText('“Ground too coarse”').waitFor()
  await card.getByText('€200.00').waitFor()
  await main(page)
    .getByRole('row', { name: new RegExp(number) })
    .getByText('Waiting for a second person')
    .waitFor()
  expect(await flawsOf(page)).toEqual({})
  await card.getByRole('button', { name: 'Approve €100.00' }).click()
  await main(page)
    .getByRole('row', { name: new RegExp(number) })
    .getByText('Succeeded')
    .waitFor()
  await card.waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('PAY-11 refund with an unknown outcome says when it is checked, is checked from the list, and sent again from its page', async () => {
  await ada.fetchJson('PUT /api/pay/settings', { refundCeilings: {} })
  const shop = sellerOn(stage, ada)
  const { id, number } = await shop.sell('Scale', 2_500)
  await shop.behave({ answers: 'fail' })
  const refund = await ada.fetchJson<{ id: string }>('POST /api/refunds', { orderId: id, amount: 1_000 })
  await shop.behave({ answers: 'ok' })
  const { page, errors } = await ada.open('/pay/refunds?status=unknown')
  const row = main(page).getByRole('row', { name: new RegExp(number) })
  await row.getByText(/It is not sent again\. Next check/).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await row.getByRole('button', { name: `Check now: refund of order ${number}` }).click()
  await page.getByText('Not found at the provider').waitFor()
  await page.goto(`${stage.server.url}/pay/refunds/${refund.id}`)
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('button', { name: 'Send again' }).click()
  await status(page, 'Succeeded').waitFor()
  expect(errors).toEqual([])
})

/** As if another member had requested it. */
async function requestAsAnother(refundId: string): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  const other = Bun.randomUUIDv7()
  await sql`UPDATE payments.refunds SET requested_by = ${other}, responsible_id = ${other} WHERE id = ${refundId}`
  await close()
}
