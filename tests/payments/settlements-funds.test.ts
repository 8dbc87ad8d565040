import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { startSettlement } from '../../src/payments/settlements/start.ts'
import { listen, type ShownEndpoint } from './provider.ts'
import {
  batchOf,
  itemsOf,
  ledgerOf,
  openSettlements,
  read,
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
  await settlements.fund(1_000_000)
})
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

const ada = () => settlements.world.ada
const organizationId = () => ada().things.organizations

test('PAY-21 batch whose balance was read before another batch was paid from it doesn’t count on that money', async () => {
  const { world, setCeiling, fund } = settlements
  const { sql } = world.database
  await fund(1_000, 'chf')
  const late = batchOf(receiver.url, [600], { currency: 'CHF' })
  const early = batchOf(receiver.url, [600], { currency: 'CHF' })
  await setCeiling(organizationId(), null)
  await sql`UPDATE payments.settings SET batch_ceilings = '{"CHF": 1}' WHERE organization_id = ${organizationId()}`
  await ada().fetchJson('POST /api/settlements', late, 202)
  await setCeiling(organizationId(), null)
  const { id } = await read(ada(), late.batchId)
  await sql`UPDATE payments.settlements SET status = 'accepted', due_at = now() + interval '1 hour' WHERE id = ${id}`
  const { gateway, ...provided } = world.provided
  const { payments } = gateway
  const getBalance: typeof payments.getBalance = async (input) => {
    const balance = await payments.getBalance(input)
    await ada().fetchJson('POST /api/settlements', early, 202)
    await untilStatus(ada(), early.batchId, 'completed')
    return balance
  }
  await startSettlement.run({
    ...provided,
    gateway: { ...gateway, payments: { ...payments, getBalance } },
    database: world.database,
    now: () => new Date(),
    input: { id, organizationId: organizationId() },
  })
  const ended = await until(
    () => read(ada(), late.batchId),
    ({ status }) => status !== 'accepted',
  )
  expect(ended).toMatchObject({ status: 'failed', failure: 'balance_short', missingAmount: 200 })
})

test('PAY-21 transfer that is reversed in part at the provider is booked and shown, and its rest is returned later', async () => {
  const { world, stripe } = settlements
  const before = await ledgerOf(world, organizationId())
  const since = async () => {
    const after = await ledgerOf(world, organizationId())
    return ['float', 'clearing', 'settlements_payable'].map((name) => (after[name] ?? 0) - (before[name] ?? 0))
  }
  const draft = batchOf(receiver.url, [2_000])
  const [recipient = ''] = draft.items.map((item) => item.recipient)
  // So that it has something to give back.
  await stripe.topups.create({ amount: 2_000, currency: 'eur' }, { stripeAccount: recipient })
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), draft.batchId, 'completed')
  const [paid] = await itemsOf(ada(), draft.batchId)
  await stripe.transfers.createReversal(paid?.transferId ?? '', { amount: 700 })
  const check = () => ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
  const returned = (amount: number) =>
    until(
      async () => {
        await check()
        return (await itemsOf(ada(), draft.batchId))[0]
      },
      (item) => item?.returnedAmount === amount,
    )
  expect(await returned(700)).toMatchObject({ status: 'settled', reversalId: null })
  expect(await since()).toEqual([1_300, -1_300, 0])
  const page = await ada().fetch(`GET /pay/settlements/${draft.batchId}`)
  expect(await page.text()).toContain('€7.00 returned')
  await until(
    async () => receiver.bodies().filter(({ data }) => data.batchId === draft.batchId),
    (bodies) => bodies.some(({ data }) => data.items.some((item) => item.returnedAmount === 700)),
  )
  await stripe.transfers.createReversal(paid?.transferId ?? '', { amount: 300 })
  await returned(1_000)
  expect(await since()).toEqual([1_000, -1_000, 0])
  await stripe.transfers.createReversal(paid?.transferId ?? '')
  expect(await returned(2_000)).toMatchObject({ status: 'returned', reversalId: expect.any(String) })
  expect(await since()).toEqual([0, 0, 0])
})

test('PAY-20 endpoint of webhooks is registered before an organization’s first batch, which isn’t taken while its account can’t be asked', async () => {
  const { world, payments } = settlements
  const listener = listen(world)
  const mallory = listener.caller(world.mallory)
  const credential = (baseUrl: string) =>
    mallory.fetchJson('PUT /api/credentials/stripe', {
      label: 'main',
      baseUrl,
      secret: { apiKey: `sk_test_${newId().replaceAll('-', '')}` },
    })
  const own = async () =>
    (await mallory.fetchJson<{ items: ShownEndpoint[] }>('GET /api/pay/webhook-endpoints')).items.filter(
      (endpoint) => endpoint.own && endpoint.hasSecret,
    )
  await credential('http://127.0.0.1:9')
  const first = batchOf(receiver.url, [100])
  expect(await mallory.fetchJson('POST /api/settlements', first, 502)).toMatchObject({ code: 'provider_failed' })
  expect(await own()).toEqual([])
  await credential(payments.url)
  expect(await mallory.fetchJson('POST /api/settlements', first, 202)).toMatchObject({ status: 'accepted' })
  expect((await own()).map(({ scope }) => scope).toSorted()).toEqual(['account', 'connect'])
  await credential('http://127.0.0.1:9')
  expect(await mallory.fetchJson('POST /api/settlements', first, 202)).toMatchObject({ batchId: first.batchId })
  await listener.stop()
})
