import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { addProviderEvent } from '../support/world/rows.ts'
import { flawsOf, sellerOn } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('PAY-20 lost events are found from the page, and a failed event is replayed from its page', async () => {
  const { page, errors } = await ada.open('/pay/webhooks')
  await main(page).getByRole('heading', { name: 'No events yet' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(await page.locator('[data-live~=often]').count()).toBe(0)

  const shop = sellerOn(stage, ada)
  await shop.behave({ webhooks: 'lose' })
  const order = await shop.createOrder()
  await shop.pay(order.id)
  await main(page).getByRole('button', { name: 'Find lost events' }).click()
  const events = main(page).getByRole('list', { name: 'Events, newest first' })
  const session = events.getByRole('listitem').filter({ hasText: 'checkout.session.completed' })
  await session.getByText('Processed').waitFor()

  const database = openDatabase(stage.database.url, 1)
  const failed = await addProviderEvent(database, ada.organizationId)
  await database.close()
  await main(page)
    .getByRole('link', { name: /^Failed/ })
    .click()
  await page.waitForURL('**/pay/webhooks?state=failed')
  await events.getByText('Timed out.').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await events.getByRole('link', { name: 'charge.updated' }).click()
  await page.waitForURL(`**/pay/webhooks/${failed}`)
  await main(page).getByText('Received, but not processed yet').waitFor()
  await main(page).getByRole('region', { name: 'Payload' }).getByText('"evt_1"').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await main(page).getByRole('button', { name: 'Replay' }).click()
  await main(page).getByText('Stored, and not used').waitFor()
  await main(page).getByText('Attempt 1 processed it').waitFor()
  expect(errors).toEqual([])
})

test('PAY-20 signing secret is pasted in the dialog, and never shown', async () => {
  await ada.fetchJson('PUT /api/credentials/stripe', {
    label: 'main',
    baseUrl: `${stage.server.url}/dev/payments`,
    secret: { apiKey: `sk_test_${Bun.randomUUIDv7().replaceAll('-', '')}` },
  })
  await ada.fetchJson('POST /api/pay/webhook-endpoints', { register: false })
  const { page, errors } = await ada.open('/pay/webhooks')
  await main(page).getByRole('button', { name: 'Signing secrets' }).click()
  const dialog = page.getByRole('dialog', { name: 'Signing secrets' })
  const endpoint = dialog.getByRole('region', { name: /^Your account .* events of the account$/ })
  await endpoint.getByText('Missing').waitFor()
  expect(await flawsOf(page)).toEqual({})
  const secret = `whsec_${'s'.repeat(32)}`
  await endpoint.getByLabel('Secret', { exact: true }).fill(secret)
  await endpoint.getByRole('button', { name: 'Save secret' }).click()
  await endpoint.getByText('Saved').waitFor()
  await endpoint.getByRole('button', { name: 'Rotate secret' }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(errors).toEqual([])
})
