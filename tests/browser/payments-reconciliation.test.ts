import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
let database: DatabaseHandle

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
  database = openDatabase(stage.database.url, 1)
})
afterAll(async () => {
  await database.close()
  await stage.close()
})

/** The provider’s fees of a new order differ from the ledger’s. */
async function differ(): Promise<string> {
  const order = await sellerOn(stage, ada).sell('Grinder', 5_000)
  await Bun.sleep(1_100) // The window ends with a whole second.
  const { items } = await ada.fetchJson<{ items: { providerReference: string }[] }>(
    `GET /api/ledger?orderId=${order.id}`,
  )
  await database.sql`
    UPDATE practice_payments.objects SET data = data || jsonb_build_object('fee', (data ->> 'fee')::int + 40,
      'net', (data ->> 'net')::int - 40) WHERE id = ${items[0]?.providerReference ?? ''}`
  return order.number
}

test('PAY-32 run shows differences with both sides and what to record, which is decided on the page', async () => {
  const { page, errors } = await ada.open('/pay/reconciliation')
  await main(page).getByRole('heading', { name: 'Nothing was compared yet' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  const number = await differ()
  await page.getByRole('button', { name: 'Run now' }).click()
  const card = main(page).getByRole('region', { name: 'The provider’s fee is €0.40 higher' })
  await card.getByText(`Order ${number}`).waitFor()
  await card.getByText('Entries to record').first().click()
  await card
    .getByRole('row', { name: /Provider fees/ })
    .getByText('€0.40')
    .waitFor()
  await main(page).getByText('Provider balance').first().waitFor()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /Reconciliation/ })
    .waitFor()
  expect(await flawsOf(page)).toEqual({})

  page.once('dialog', (dialog) => void dialog.accept())
  await card.getByRole('button', { name: /Record the difference/ }).click()
  await card.waitFor({ state: 'detached' })
  const settled = main(page).getByRole('region', { name: 'Recently resolved' })
  await settled.getByText('Recorded in the ledger').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-32 difference is explained in a dialog, and the days of the strip lead to their runs', async () => {
  await differ()
  const { page, errors } = await ada.open('/pay/reconciliation')
  await page.getByRole('button', { name: 'Run now' }).click()
  const card = main(page).getByRole('region', { name: 'The provider’s fee is €0.40 higher' })
  await card.getByRole('button', { name: /Mark as explained/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as explained' })
  await dialog.getByLabel('Explanation').fill('Card from abroad')
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByRole('button', { name: 'Mark as explained' }).click()
  await card.waitFor({ state: 'detached' })
  await main(page).getByText('Card from abroad').waitFor()
  await main(page)
    .getByRole('link', { name: /1 difference/ })
    .click()
  await main(page)
    .getByRole('heading', { name: /Run of/ })
    .waitFor()
  await page.goto(`${stage.server.url}/pay/reconciliation?show=closed`)
  await main(page).getByText('Explained').first().waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})
