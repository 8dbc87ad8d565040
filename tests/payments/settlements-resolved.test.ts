import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { startSettlement } from '../../src/payments/settlements/start.ts'
import {
  actionsOf,
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
  type ShownItem,
} from './settlements-world.ts'

let settlements: Settlements
let receiver: Receiver

beforeAll(async () => {
  settlements = await openSettlements()
  receiver = receiveCallbacks()
  await settlements.fund(1_000_000)
})
afterEach(() => settlements.payments.behave({}))
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

const ada = () => settlements.world.ada
const organizationId = () => ada().things.organizations
const accounts = ['settlements_payable', 'float', 'clearing', 'suspense'] as const

type Item = ShownItem & { id: string; resolvable: boolean }

/** Starts a batch, and lets the provider change as soon as the balance is read. */
async function startWith(behavior: object, draft: ReturnType<typeof batchOf>): Promise<void> {
  const { world, setCeiling } = settlements
  await setCeiling(organizationId(), 1)
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await setCeiling(organizationId(), null)
  const { id } = await read(ada(), draft.batchId)
  await world.database.sql`
    UPDATE payments.settlements SET status = 'accepted', due_at = now() + interval '1 hour' WHERE id = ${id}`
  const { gateway, ...provided } = world.provided
  const { payments } = gateway
  const getBalance: typeof payments.getBalance = async (input) => {
    const balance = await payments.getBalance(input)
    await settlements.payments.behave(behavior)
    return balance
  }
  await startSettlement.run({
    ...provided,
    gateway: { ...gateway, payments: { ...payments, getBalance } },
    database: world.database,
    now: () => new Date(),
    input: { id, organizationId: organizationId() },
  })
}

/** A batch of one item whose outcome is unknown. */
async function makeUnknown(behavior: object, amount: number) {
  const before = await ledgerOf(settlements.world, organizationId())
  const draft = batchOf(receiver.url, [amount])
  await settlements.stripe.topups.create(
    { amount, currency: 'eur' },
    { stripeAccount: draft.items[0]?.recipient ?? '' },
  )
  await startWith(behavior, draft)
  const { id } = await until(
    () => read(ada(), draft.batchId),
    ({ totals }) => totals['unknown']?.items === 1,
  )
  const item = async (): Promise<Item> => {
    const [found] = (await ada().fetchJson<{ items: Item[] }>(`GET /api/settlements/${draft.batchId}/items`)).items
    if (!found) throw new Error('The batch has no item')
    return found
  }
  const route = `POST /api/settlements/${draft.batchId}/items/${(await item()).id}/resolve`
  return {
    id,
    draft,
    item,
    route,
    /** Waits until no check that began before can send it again. */
    age: async () => {
      await settlements.world.database.sql`
        UPDATE payments.settlement_items SET transfer_sent_at = transfer_sent_at - interval '23 hours',
          payout_sent_at = payout_sent_at - interval '23 hours' WHERE settlement_id = ${id}`
      await until(
        () => actionsOf(settlements.world, id),
        (causes) => causes.includes('settlement-unknown'),
      )
    },
    resolve: (outcome: string) => ada().fetchJson<Item>(route, { outcome, note: 'Asked the provider.' }),
    booked: async () => {
      const after = await ledgerOf(settlements.world, organizationId())
      return accounts.map((name) => (after[name] ?? 0) - (before[name] ?? 0))
    },
  }
}

const codeOf = async (response: Response) => [response.status, (await response.json()).code]

test('PAY-13 person says that an old unknown item wasn’t paid: it fails, nothing is owed, and its batch ends', async () => {
  const unknown = await makeUnknown({ answers: 'fail' }, 700)
  const decision = { outcome: 'failed', note: 'Not in the dashboard.' }
  expect(await unknown.item()).toMatchObject({ status: 'unknown', resolvable: false })
  expect(await codeOf(await ada().fetch(unknown.route, decision))).toEqual([409, 'item_state'])
  await unknown.age()
  await settlements.payments.behave({})
  const key = await ada().createKey({ scopes: ['settlements.write'], service: 'platform-pay' })
  expect(await codeOf(await key.fetch(unknown.route, decision))).toEqual([403, 'session_required'])
  expect((await settlements.world.mallory.fetch(unknown.route, decision)).status).toBe(404)
  expect((await ada().fetch(unknown.route, { outcome: 'failed', note: ' ' })).status).toBe(422)
  expect(await ada().fetchJson(unknown.route, decision)).toMatchObject({
    status: 'failed',
    failureMessage: 'Not in the dashboard.',
    resolvable: false,
  })
  await untilStatus(ada(), unknown.draft.batchId, 'failed')
  expect(await unknown.booked()).toEqual([0, 0, 0, 0])
  await until(
    () => actionsOf(settlements.world, unknown.id),
    (causes) => !causes.includes('settlement-unknown'),
  )
  expect(await codeOf(await ada().fetch(unknown.route, decision))).toEqual([409, 'item_state'])
})

test('PAY-13 item that a person marks as paid is settled without a transfer, which is assigned when it is found', async () => {
  const unknown = await makeUnknown({ answers: 'fail' }, 900)
  await unknown.age()
  await settlements.payments.behave({})
  expect(await unknown.resolve('settled')).toMatchObject({ status: 'settled', transferId: null })
  await untilStatus(ada(), unknown.draft.batchId, 'completed')
  expect(await unknown.booked()).toEqual([0, 900, 0, -900])
  const [item] = unknown.draft.items
  const { id } = await unknown.item()
  await settlements.stripe.transfers.create({
    amount: 900,
    currency: 'eur',
    destination: item?.recipient ?? '',
    transfer_group: `settlement_item_${id}`,
    metadata: { itemId: id },
  })
  await ada().fetchJson(`POST /api/settlements/${unknown.draft.batchId}/check`, {}, 202)
  await until(unknown.item, ({ transferId }) => transferId !== null)
  expect(await unknown.item()).toMatchObject({ status: 'settled' })
  expect(await unknown.booked()).toEqual([0, 900, -900, 0])
})

test('PAY-13 transfer of an item whose payout a person marks as failed is reversed', async () => {
  const unknown = await makeUnknown({ payouts: 'unknown' }, 1_100)
  await unknown.age()
  expect(await unknown.resolve('failed')).toMatchObject({ status: 'failed' })
  const [item] = await until(
    () => itemsOf(ada(), unknown.draft.batchId),
    ([found]) => found?.reversalId != null,
  )
  expect(item).toMatchObject({ status: 'failed', returnedAmount: 1_100 })
  await until(unknown.booked, (sums) => sums.every((sum) => sum === 0))
})
