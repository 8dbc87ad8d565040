import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newSecretKey } from '../gateway/practice-payments-client.ts'
import {
  batchOf,
  itemsOf,
  openSettlements,
  receiveCallbacks,
  until,
  untilStatus,
  type Receiver,
  type Settlements,
} from './settlements-world.ts'

let settlements: Settlements
let receiver: Receiver

beforeAll(async () => {
  settlements = await openSettlements()
  receiver = receiveCallbacks()
})
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

test('PAY-21 without the key of its account an item stays as it is and nothing is sent elsewhere, and with the key it is settled', async () => {
  const { world, payments, stripe } = settlements
  const { ada } = world
  const key = newSecretKey()
  const putKey = () =>
    ada.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl: payments.url, secret: { apiKey: key } })
  const openActions = () =>
    world.database.sql`SELECT 1 FROM platform.raised_actions WHERE resolved_at IS NULL AND title LIKE 'Payments wait%'`
  await payments.stripeOf(key).topups.create({ amount: 100_000, currency: 'eur' })
  await settlements.fund(100_000)
  await payments.behave({ payouts: 'unknown' })
  await putKey()
  const draft = batchOf(receiver.url, [900])
  await ada.fetchJson('POST /api/settlements', draft, 202)
  const itemWhen = (isDone: (item: Awaited<ReturnType<typeof itemsOf>>[number]) => boolean) =>
    until(
      () => itemsOf(ada, draft.batchId),
      ([item]) => item !== undefined && isDone(item),
    )
  const [sent] = await itemWhen(({ payoutId }) => payoutId !== null)
  await ada.fetch('DELETE /api/credentials/stripe')
  await ada.fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
  const [lost] = await itemWhen(({ failureCode }) => failureCode === 'provider_account_changed')
  expect(['sent', 'unknown']).toContain(lost?.status ?? '')
  expect([lost?.transferId, lost?.payoutId]).toEqual([sent?.transferId, sent?.payoutId])
  expect((await stripe.transfers.list()).data).toEqual([])
  expect(await openActions()).toHaveLength(1)
  await payments.behave({})
  await putKey()
  await ada.fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
  await untilStatus(ada, draft.batchId, 'completed')
  const [settled] = await itemsOf(ada, draft.batchId)
  expect(settled).toMatchObject({ status: 'settled', failureCode: null })
  await until(openActions, (rows) => rows.length === 0)
})
