import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-12 ledger shows each transaction with balanced entries, verifies its chain, and is corrected by new entries', async () => {
  const { page, errors } = await ada.open('/pay/transactions', { expected: [422] })
  await main(page).getByRole('heading', { name: 'No transactions yet' }).waitFor()
  const chain = main(page).getByRole('region', { name: /Chain|Differences/ })
  await chain.getByRole('heading', { name: 'Chain verified' }).waitFor()
  expect(await flawsOf(page)).toEqual({})

  expect(await page.locator('[data-live~=often]').count()).toBe(0)
  const order = await sellerOn(stage, ada).sell('Grinder', 5_000)
  const table = main(page).getByRole('table')
  await table.getByRole('link', { name: 'Payment captured' }).waitFor()
  await table.getByText(`Order ${order.number}`).waitFor()
  await table
    .getByRole('row', { name: /^Merchant / })
    .getByText('€100.00')
    .waitFor()
  const balances = main(page).getByRole('region', { name: 'Balances, EUR' })
  await balances.getByText('€0.00').waitFor()
  await balances.getByText('−€100.00').waitFor()
  await page.reload()
  await chain.getByRole('heading', { name: 'Chain verified' }).waitFor()
  expect(await flawsOf(page)).toEqual({})

  await page.getByRole('button', { name: 'New correction' }).click()
  const dialog = page.getByRole('dialog', { name: 'New correction' })
  await dialog.getByLabel('Amount').first().fill('0.155')
  await dialog.getByLabel('Corrects transaction').fill('1')
  await dialog.getByLabel('Note').fill('Fee of the first order')
  await dialog.getByRole('button', { name: 'Post correction' }).click()
  await dialog.getByText('EUR allows 2 decimal places, not 3.').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByLabel('Amount').first().fill('0.15')
  await dialog.getByRole('button', { name: 'Post correction' }).click()
  await table.getByText('Fee of the first order').waitFor()
  await table.getByText('New entries').waitFor()
  await table.getByText(/corrects 1 ·/).waitFor()
  await balances.getByText('Corrections').waitFor()

  await main(page).getByLabel('Kind', { exact: true }).selectOption('correction')
  await page.waitForURL(/kind=correction/)
  await table.getByRole('link', { name: 'Payment captured' }).waitFor({ state: 'detached' })
  await table.getByText('Fee of the first order').waitFor()

  await tamper()
  await chain.getByRole('button', { name: 'Verify again' }).click()
  await chain.getByRole('heading', { name: 'Differences found' }).waitFor()
  await chain.getByText('The transaction was changed').waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

/** As an attacker with the rights of the database’s owner. */
async function tamper(): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql.begin(async (tx) => {
    await tx`SET LOCAL session_replication_role = replica`
    await tx`UPDATE payments.ledger_transactions SET note = 'Another reason' WHERE kind = 'correction'`
  })
  await close()
}
