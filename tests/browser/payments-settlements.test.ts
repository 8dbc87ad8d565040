import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { batchOf, receiveCallbacks, until, type Receiver } from '../payments/settlements-world.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
let receiver: Receiver
let database: DatabaseHandle

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
  receiver = receiveCallbacks()
  database = openDatabase(stage.database.url, 1)
  await sellerOn(stage, ada).sell()
  await topUp(1_000_000)
})
afterAll(async () => {
  await database.close()
  await receiver.stop()
  await stage.close()
})

test('PAY-21 batch above the ceiling is approved from its page, and followed until all items are settled', async () => {
  const { page, errors } = await ada.open('/pay/settlements')
  await main(page).getByRole('heading', { name: 'No settlements yet' }).waitFor()
  await ada.fetchJson('PUT /api/pay/settings', { batchCeilings: { EUR: 0 } })
  const draft = batchOf(receiver.url, [1_500, 2_500])
  await ada.fetchJson('POST /api/settlements', draft)
  const { sql } = database
  const other = Bun.randomUUIDv7()
  await sql`
    UPDATE payments.settlements SET requested_by = ${other}, responsible_id = ${other} WHERE batch_id = ${draft.batchId}`
  await page.reload()
  const card = main(page).getByRole('region', { name: `Batch ${draft.batchId} pays out €40.00` })
  await card.getByText('Needs approval').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await card.getByRole('link', { name: `Review ${draft.batchId}` }).click()
  await page.waitForURL(`**/pay/settlements/${draft.batchId}`)
  await main(page).getByText('€25.00 to acct_').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('button', { name: 'Approve €40.00' }).click()
  await status(page, 'Completed').waitFor()
  const items = main(page).getByRole('region', { name: 'Items' })
  const headings = await main(page).getByRole('heading', { level: 2 }).allTextContents()
  expect(headings.indexOf('Items')).toBeLessThan(headings.indexOf('Callbacks'))
  await items.getByRole('row', { name: /i-2/ }).getByText('Settled').waitFor()
  await main(page)
    .getByRole('list', { name: 'Callbacks, newest first' })
    .getByRole('listitem')
    .first()
    .getByText('Delivered')
    .waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('PAY-31 batches are filtered by days and downloaded as CSV, and links with filters lead to the same list', async () => {
  await liftCeilings()
  const draft = batchOf(receiver.url, [300])
  await ada.fetchJson('POST /api/settlements', draft)
  const { page, errors } = await ada.open('/pay/settlements')
  const row = main(page).getByRole('row', { name: new RegExp(draft.batchId) })
  await row.waitFor()
  await main(page).getByRole('button', { name: 'Dates' }).click()
  await main(page).getByLabel('To').fill('2024-02-29')
  await page.waitForURL(/to=2024-02-29/)
  await main(page).getByRole('heading', { name: 'No matching batches' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.reload()
  await main(page).getByRole('heading', { name: 'No matching batches' }).waitFor()
  await main(page).getByRole('link', { name: 'Clear filters' }).first().click()
  await row.waitFor()
  await main(page).getByRole('searchbox').fill(draft.batchId)
  await page.waitForURL(new RegExp(`q=${draft.batchId}`))
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    main(page).getByRole('link', { name: 'Export CSV' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('settlements.csv')
  expect((await Bun.file(await file.path()).text()).split('\r\n')).toHaveLength(3)
  expect(errors).toEqual([])
})

test('PAY-21 batch with an unknown item says when it is checked, and the check finds what was paid', async () => {
  await liftCeilings()
  const draft = batchOf(receiver.url, [700])
  await ada.fetchJson('POST /api/settlements', draft)
  const { page, errors } = await ada.open(`/pay/settlements/${draft.batchId}`)
  await status(page, 'Completed').waitFor()
  await loseOutcome(draft.batchId)
  await page.reload()
  await main(page).getByText('We don’t know yet whether €7.00 was sent').waitFor()
  await main(page).getByText('It is not sent again. Next check').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('link', { name: 'Outcome unknown' }).click()
  await page.waitForURL(/status=unknown/)
  await main(page).getByRole('button', { name: 'Check now' }).click()
  await status(page, 'Completed').waitFor()
  expect(errors).toEqual([])
})

test('PAY-22 callback secret is rotated in its dialog, and shown once', async () => {
  const draft = batchOf(receiver.url, [100])
  await ada.fetchJson('POST /api/settlements', draft)
  const { page, errors } = await ada.open(`/pay/settlements/${draft.batchId}`)
  await status(page, 'Completed').waitFor()
  await main(page).getByRole('button', { name: 'Callback secrets' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^whsec_····/).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await dialog.getByLabel('Callback secret').textContent()
  expect(secret).toStartWith('whsec_')
  await dialog.getByRole('link', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('made-key').waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret ?? '')
  expect(errors).toEqual([])
})

/** Of the platform’s account at the practice provider. */
async function topUp(amount: number): Promise<void> {
  const response = await fetch(`${stage.server.url}/dev/payments/v1/topups`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_practice' },
    body: new URLSearchParams({ amount: String(amount), currency: 'eur' }),
  })
  expect(response.status).toBe(200)
}

/** As if the responses of the provider had been lost. */
async function loseOutcome(batchId: string): Promise<void> {
  const { sql } = database
  const [batch] = await sql<{ id: string }[]>`
    UPDATE payments.settlements SET status = 'processing', finished_at = NULL WHERE batch_id = ${batchId} RETURNING id`
  await sql`
    UPDATE payments.settlement_items
    SET status = 'unknown', settled_at = NULL, due_at = now() + interval '1 hour'
    WHERE settlement_id = ${batch?.id ?? ''}`
}

/** For the one who set them, too: another person would have to confirm that. */
const liftCeilings = () => database.sql`DELETE FROM payments.settings`

test('PAY-13 person sets the outcome of an old unknown item from its row', async () => {
  await liftCeilings()
  await sellerOn(stage, ada).behave({ payouts: 'unknown' })
  const draft = batchOf(receiver.url, [1_700])
  const { sql } = database
  await ada.fetchJson('POST /api/settlements', draft)
  const { page, errors } = await ada.open(`/pay/settlements/${draft.batchId}`)
  const row = main(page).getByRole('region', { name: 'Items' }).getByRole('row', { name: /i-1/ })
  await row.getByText('Sent', { exact: true }).waitFor()
  // While no worker reads it.
  await until(
    () => sql`
      UPDATE payments.settlement_items SET status = 'unknown', due_at = NULL, version = version + 1,
        transfer_sent_at = now() - interval '1 day', payout_sent_at = now() - interval '1 day'
      WHERE settlement_id = (SELECT id FROM payments.settlements WHERE batch_id = ${draft.batchId})
        AND lease_owner IS NULL RETURNING id`,
    (rows) => rows.length === 1,
  )
  await page.reload()
  await row.getByRole('button', { name: 'Set outcome of i-1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Was €17.00 for i-1 paid?' })
  expect(await flawsOf(page)).toEqual({})
  await dialog.getByRole('radio', { name: /^Paid/ }).check()
  await dialog.getByLabel('How you found out').fill('The recipient confirmed it')
  await dialog.getByRole('button', { name: 'Save outcome' }).click()
  await row.getByText('Settled').waitFor()
  await status(page, 'Completed').waitFor()
  expect(errors).toEqual([])
})
