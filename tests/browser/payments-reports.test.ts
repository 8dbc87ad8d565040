import { afterAll, beforeAll, expect, test } from 'bun:test'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-30 reports of takings, fees, refunds, disputes, payouts and taxes fit every width, empty and with rows', async () => {
  const { page, errors } = await ada.open('/pay/reports')
  await main(page).getByRole('heading', { name: 'No movements in these days' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  const order = await sellerOn(stage, ada).sell('Grinder', 5_000)
  await ada.fetchJson('POST /api/refunds', { orderId: order.id, amount: 1_000 })
  await page.reload()
  await main(page).getByRole('row', { name: /Total/ }).getByText('€100.00').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('link', { name: 'Method' }).click()
  await main(page).getByRole('row', { name: /Visa/ }).getByText('€100.00').waitFor()
  const tabs = page.getByRole('navigation', { name: 'Report' })
  for (const [tab, shown] of [
    ['Fees', '€3.20'],
    ['Refunds', '€10.00'],
    ['Disputes', null],
    ['Payouts', null],
    ['Taxes', '€90.00'],
  ] as const) {
    await tabs.getByRole('link', { name: tab }).click()
    await page.getByRole('heading', { level: 1, name: tab }).waitFor()
    if (shown) await main(page).getByText(shown).first().waitFor()
    expect(await flawsOf(page)).toEqual({})
  }
  expect(errors).toEqual([])
})

test('PAY-30 statement of a month is downloaded as PDF from its page', async () => {
  const { page, errors } = await ada.open('/pay/reports/periods')
  await main(page).getByRole('link', { name: /Main/ }).first().click()
  const link = main(page).getByRole('link', { name: 'Download the statement as PDF' })
  const href = (await link.getAttribute('href')) ?? ''
  expect(href).toMatch(/^\/api\/reports\/statement\/pdf\?/)
  const response = await page.request.get(`${stage.server.url}${href}`)
  expect(response.headers()['content-type']).toBe('application/pdf')
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})
