import { openActions, press } from '../dashboard/raised/acting.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import {
  actionsOf,
  batchOf,
  itemsOf,
  ledgerOf,
  newAccount,
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
  await settlements.fund(10_000_000)
})
afterEach(() => settlements.payments.behave({}))
afterAll(async () => {
  await settlements.close()
  await receiver.stop()
})

const ada = () => settlements.world.ada
const organizationId = () => ada().things.organizations

const codeOf = async (response: Response) => [response.status, (await response.json()).code]

/** What the provider has for the recipients of a batch. */
async function paidTo(recipients: readonly string[]) {
  const { stripe } = settlements
  return Promise.all(
    recipients.map(async (destination) => {
      const transfers = await stripe.transfers.list({ destination, limit: 100 })
      const payouts = await stripe.payouts.list({ limit: 100 }, { stripeAccount: destination })
      return {
        transfers: transfers.data.map(({ amount, amount_reversed: back }) => amount - back),
        payouts: payouts.data.map(({ amount, status }) => `${status} ${amount}`),
      }
    }),
  )
}

test('PAY-21 batch is accepted, sent and completed, and the ledger says the same as the provider', async () => {
  const draft = batchOf(receiver.url, [1500, 2500, 40])
  const before = await ledgerOf(settlements.world, organizationId())
  const accepted = await ada().fetchJson('POST /api/settlements', draft, 202)
  expect(accepted).toMatchObject({
    batchId: draft.batchId,
    status: 'accepted',
    items: draft.items.map(({ reference }) => ({ reference, status: 'pending' })),
  })
  const batch = await untilStatus(ada(), draft.batchId, 'completed')
  expect(batch).toMatchObject({ failure: null, totals: { settled: { items: 3, amount: 4040 } } })
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual(
    [1500, 2500, 40].map((amount) => ({ transfers: [amount], payouts: [`paid ${amount}`] })),
  )
  const after = await ledgerOf(settlements.world, organizationId())
  const change = (account: string) => (after[account] ?? 0) - (before[account] ?? 0)
  expect([change('float'), change('clearing'), change('settlements_payable')]).toEqual([4040, -4040, 0])
  expect(await actionsOf(settlements.world, batch.id)).toEqual([])
})

test('PAY-21 same batch sent 20 times at once is paid once, and another body under its ID is refused', async () => {
  const draft = batchOf(receiver.url, [700, 800])
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada().fetch('POST /api/settlements', draft)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
  await untilStatus(ada(), draft.batchId, 'completed')
  const again = await ada().fetchJson('POST /api/settlements', draft, 202)
  expect(again).toMatchObject({
    status: 'completed',
    repeats: 20,
    items: [{ status: 'settled' }, { status: 'settled' }],
  })
  const other = { ...draft, callbackUrl: `${receiver.url}/other` }
  expect(await codeOf(await ada().fetch('POST /api/settlements', other))).toEqual([409, 'batch_differs'])
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual([
    { transfers: [700], payouts: ['paid 700'] },
    { transfers: [800], payouts: ['paid 800'] },
  ])
})

test('PAY-21 wrong control sum, repeated references and URLs that can’t be called are refused together', async () => {
  const draft = batchOf('ftp://p2p.example/callbacks', [100, 200], { controlSum: 301 })
  const wrongUrl = await ada().fetch('POST /api/settlements', draft)
  expect([wrongUrl.status, (await wrongUrl.json()).errors]).toMatchObject([422, [{ path: 'callbackUrl' }]])
  const [first, second] = batchOf(receiver.url, [100, 200]).items
  const items = [first, { ...second, reference: 'i-1' }]
  const refused = await ada().fetch('POST /api/settlements', { ...draft, callbackUrl: receiver.url, items })
  expect([refused.status, (await refused.json()).errors]).toMatchObject([
    422,
    [
      { path: 'items.1.reference' },
      { path: 'controlSum', message: 'Must be 300, the sum of the amounts of all items.' },
    ],
  ])
  const euros = await ada().fetch('POST /api/settlements', batchOf(receiver.url, [100], { currency: 'eur' }))
  expect([euros.status, (await euros.json()).errors]).toMatchObject([422, [{ path: 'currency' }]])
})

test('PAY-21 batch of 10,000 items is accepted, and one more is refused', async () => {
  await settlements.setCeiling(organizationId(), 1)
  const amounts = Array.from({ length: 10_000 }, (_, at) => at + 1)
  const draft = batchOf(receiver.url, amounts)
  const accepted = await ada().fetchJson<{ status: string; items: unknown[] }>('POST /api/settlements', draft, 202)
  expect([accepted.status, accepted.items.length]).toEqual(['needs_approval', 10_000])
  const last = await ada().fetchJson<{ items: { reference: string }[]; nextCursor: string | null }>(
    `GET /api/settlements/${draft.batchId}/items?limit=100`,
  )
  expect([last.items.length, last.items[0]?.reference, last.nextCursor !== null]).toEqual([100, 'i-1', true])
  const tooMany = await ada().fetch('POST /api/settlements', batchOf(receiver.url, [...amounts, 1]))
  expect(tooMany.status).toBe(422)
  await settlements.setCeiling(organizationId(), null)
})

test('PAY-21 batch fails without paying anything when the balance is short, and says by how much', async () => {
  const draft = batchOf(receiver.url, [300, 400], { currency: 'SEK' })
  await settlements.fund(500, 'sek')
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const batch = await untilStatus(ada(), draft.batchId, 'failed')
  expect(batch).toMatchObject({ failure: 'balance_short', missingAmount: 200, totals: { failed: { items: 2 } } })
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual([
    { transfers: [], payouts: [] },
    { transfers: [], payouts: [] },
  ])
})

test('PAY-21 two batches can’t count on the same balance', async () => {
  await settlements.fund(1_000, 'nok')
  const drafts = [600, 600].map((amount) => batchOf(receiver.url, [amount], { currency: 'NOK' }))
  await Promise.all(drafts.map((draft) => ada().fetchJson('POST /api/settlements', draft, 202)))
  const ended = await Promise.all(
    drafts.map(({ batchId }) =>
      until(
        () => read(ada(), batchId),
        ({ status }) => status === 'completed' || status === 'failed',
      ),
    ),
  )
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['completed', 'failed'])
  expect(ended.find(({ status }) => status === 'failed')?.failure).toBe('balance_short')
})

test('PAY-21 recipient without an account fails its item: the batch is partially_failed, or failed without another', async () => {
  const missing = `acct_missing${newAccount().slice(-6)}`
  const [good] = batchOf(receiver.url, [100]).items
  const items = [good, { reference: 'i-2', recipient: missing, amount: 200 }]
  const mixed = { ...batchOf(receiver.url, [100, 200]), items }
  const hopeless = { ...batchOf(receiver.url, [200]), items: [{ reference: 'i-1', recipient: missing, amount: 200 }] }
  const before = await ledgerOf(settlements.world, organizationId())
  for (const draft of [mixed, hopeless]) await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), mixed.batchId, 'partially_failed')
  expect(await untilStatus(ada(), hopeless.batchId, 'failed')).toMatchObject({ failure: 'items_failed' })
  expect(await itemsOf(ada(), mixed.batchId)).toMatchObject([
    { status: 'settled' },
    { status: 'failed', failureCode: expect.any(String), transferId: null },
  ])
  const after = await ledgerOf(settlements.world, organizationId())
  expect((after['settlements_payable'] ?? 0) - (before['settlements_payable'] ?? 0)).toBe(0)
  expect((after['float'] ?? 0) - (before['float'] ?? 0)).toBe(100)
})

test('PAY-13 lost response of a transfer makes its item unknown, and it is found instead of paid again', async () => {
  await settlements.payments.behave({ answers: 'timeout_after_success', times: 1 })
  const draft = batchOf(receiver.url, [1100])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await until(
    () => itemsOf(ada(), draft.batchId),
    ([item]) => item?.status === 'unknown',
  )
  await untilStatus(ada(), draft.batchId, 'completed')
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual([
    { transfers: [1100], payouts: ['paid 1100'] },
  ])
})

test('PAY-13 item whose transfer and payout both lose their response is paid once', async () => {
  await settlements.payments.behave({ answers: 'timeout_after_success', times: 2 })
  const draft = batchOf(receiver.url, [1200])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), draft.batchId, 'completed')
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual([
    { transfers: [1200], payouts: ['paid 1200'] },
  ])
})

test('PAY-13 items that certainly weren’t sent are repeated with the same key, and each is paid once', async () => {
  const draft = batchOf(
    receiver.url,
    Array.from({ length: 24 }, (_, at) => 100 + at),
  )
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await until(
    () => read(ada(), draft.batchId),
    ({ status }) => status === 'processing',
  )
  await settlements.payments.behave({ answers: 'fail' })
  await until(
    () => read(ada(), draft.batchId),
    ({ totals }) => (totals['unknown']?.items ?? 0) > 0,
  )
  await settlements.payments.behave({})
  let nextCheck = 0
  await until(
    async () => {
      const batch = await read(ada(), draft.batchId)
      // Each check reads all open items again, so one for each look would only delay them.
      if ((batch.totals['unknown']?.items ?? 0) > 0 && performance.now() >= nextCheck) {
        nextCheck = performance.now() + 2000
        await ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
      }
      return batch
    },
    ({ status }) => status === 'completed',
  )
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual(
    draft.items.map(({ amount }) => ({ transfers: [amount], payouts: [`paid ${amount}`] })),
  )
})

test('PAY-13 items aren’t sent again once the provider can have forgotten their keys', async () => {
  const draft = batchOf(
    receiver.url,
    Array.from({ length: 24 }, (_, at) => 100 + at),
  )
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await until(
    () => read(ada(), draft.batchId),
    ({ status }) => status === 'processing',
  )
  await settlements.payments.behave({ answers: 'fail' })
  const { id } = await until(
    () => read(ada(), draft.batchId),
    ({ totals }) => (totals['unknown']?.items ?? 0) > 0,
  )
  const old = await settlements.world.database.sql<{ recipient: string; transferId: string | null }[]>`
    UPDATE payments.settlement_items SET payout_sent_at = payout_sent_at - interval '23 hours',
      transfer_sent_at = transfer_sent_at - interval '23 hours'
    WHERE settlement_id = ${id} AND status = 'unknown' AND payout_id IS NULL RETURNING recipient, transfer_id AS "transferId"`
  await settlements.payments.behave({})
  await ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
  await until(
    async () => [(await read(ada(), draft.batchId)).status, ...(await actionsOf(settlements.world, id))],
    ([status, ...causes]) => status === 'completed' || causes.includes('settlement-unknown'),
  )
  expect(old.length).toBeGreaterThan(0)
  expect((await paidTo(old.map(({ recipient }) => recipient))).map(({ payouts }) => payouts)).toEqual(old.map(() => []))
  const unsent = old.filter(({ transferId }) => transferId === null)
  expect((await paidTo(unsent.map(({ recipient }) => recipient))).map(({ transfers }) => transfers)).toEqual(
    unsent.map(() => []),
  )
})

test('PAY-13 payout that doesn’t arrive is unknown after all checks, raises an action, and settles when it arrives', async () => {
  await settlements.payments.behave({ payouts: 'unknown' })
  const draft = batchOf(receiver.url, [1400])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await until(
    () => itemsOf(ada(), draft.batchId),
    ([item]) => item?.status === 'sent',
  )
  const open = await until(
    () => read(ada(), draft.batchId),
    ({ totals }) => totals['unknown']?.items === 1,
  )
  await until(
    () => actionsOf(settlements.world, open.id),
    (causes) => causes.includes('settlement-unknown'),
  )
  expect(open.status).toBe('processing')
  await settlements.payments.behave({})
  await until(
    async () => {
      const [action] = await openActions(settlements.world, `settlement-unknown:${open.id}`)
      if (action) expect((await press(ada(), action, 'Check now')).status).toBe(202)
      return read(ada(), draft.batchId)
    },
    ({ status }) => status === 'completed',
  )
  await until(
    () => actionsOf(settlements.world, open.id),
    (causes) => causes.length === 0,
  )
})

test('PAY-13 payout that returns late is returned, its transfer reversed and its batch partially_failed, with a callback', async () => {
  const draft = batchOf(receiver.url, [1600])
  const before = await ledgerOf(settlements.world, organizationId())
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const batch = await untilStatus(ada(), draft.batchId, 'completed')
  const [settled] = await itemsOf(ada(), draft.batchId)
  await settlements.payments.returnPayout(settled?.payoutId ?? '')
  await until(
    async () => {
      await ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
      return read(ada(), draft.batchId)
    },
    ({ status }) => status === 'partially_failed',
  )
  const [item] = await until(
    () => itemsOf(ada(), draft.batchId),
    ([found]) => found?.reversalId != null,
  )
  expect(item).toMatchObject({ status: 'returned', failureCode: 'account_closed' })
  expect(await paidTo(draft.items.map(({ recipient }) => recipient))).toEqual([
    { transfers: [0], payouts: ['failed 1600'] },
  ])
  expect(await ledgerOf(settlements.world, organizationId())).toEqual(before)
  const sent = await until(
    async () => receiver.bodies().filter(({ data }) => data.batchId === draft.batchId),
    (bodies) => bodies.some(({ data }) => data.status === 'partially_failed'),
  )
  expect(sent.find(({ data }) => data.status === 'partially_failed')?.data.items).toMatchObject([
    { reference: 'i-1', status: 'returned' },
  ])
  await until(
    () => actionsOf(settlements.world, batch.id),
    (causes) => causes.length === 0,
  )
})

test('PAY-21 payout that fails before it is paid fails its item, and the transfer is reversed', async () => {
  await settlements.payments.behave({ payouts: 'unknown' })
  const draft = batchOf(receiver.url, [1700])
  const before = await ledgerOf(settlements.world, organizationId())
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const [sent] = await until(
    () => itemsOf(ada(), draft.batchId),
    ([item]) => item?.payoutId != null,
  )
  const [recipient = ''] = draft.items.map((item) => item.recipient)
  await settlements.stripe.payouts.cancel(sent?.payoutId ?? '', {}, { stripeAccount: recipient })
  await until(
    async () => {
      await ada().fetchJson(`POST /api/settlements/${draft.batchId}/check`, {}, 202)
      return read(ada(), draft.batchId)
    },
    ({ status }) => status === 'failed',
  )
  await until(
    () => itemsOf(ada(), draft.batchId),
    ([item]) => item?.reversalId != null,
  )
  expect(await itemsOf(ada(), draft.batchId)).toMatchObject([{ status: 'failed', failureCode: 'payout_canceled' }])
  expect(await paidTo([recipient])).toEqual([{ transfers: [0], payouts: ['canceled 1700'] }])
  expect(await ledgerOf(settlements.world, organizationId())).toEqual(before)
})

test('PAY-21 peer-to-peer service sends a batch for an organization and reads its own batches only', async () => {
  const p2p = await settlements.serviceCaller('platform-p2p', organizationId())
  const draft = batchOf(receiver.url, [100])
  expect(await p2p.fetchJson('POST /api/settlements', draft, 202)).toMatchObject({ status: 'accepted' })
  expect(await untilStatus(p2p, draft.batchId, 'completed')).toMatchObject({ can: { check: false, approve: false } })
  const own = batchOf(receiver.url, [100])
  await ada().fetchJson('POST /api/settlements', own, 202)
  expect((await p2p.fetch(`GET /api/settlements/${own.batchId}`)).status).toBe(404)
  expect(await codeOf(await p2p.fetch('POST /api/settlements', own))).toEqual([409, 'batch_differs'])
  const list = await p2p.fetchJson<{ items: { batchId: string }[] }>('GET /api/settlements')
  expect(list.items.map(({ batchId }) => batchId)).toEqual([draft.batchId])
  const nameless = await p2p.fetch('GET /api/settlements', undefined, { 'x-organization-id': '' })
  expect(nameless.status).toBe(400)
  const social = await settlements.serviceCaller('platform-socialize', organizationId())
  expect(await codeOf(await social.fetch('POST /api/settlements', draft))).toEqual([403, 'permission_missing'])
  expect((await p2p.fetch(`POST /api/settlements/${draft.batchId}/check`, {})).status).toBe(401)
})

test('PAY-21 other organization has the same batch ID for itself, and reads nothing of the first', async () => {
  const { mallory, vera } = settlements.world
  const draft = batchOf(receiver.url, [100])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  expect((await mallory.fetch(`GET /api/settlements/${draft.batchId}`)).status).toBe(404)
  expect((await mallory.fetch(`GET /api/settlements/${draft.batchId}/items`)).status).toBe(404)
  expect((await mallory.fetch(`POST /api/settlements/${draft.batchId}/check`, {})).status).toBe(404)
  const other = { ...batchOf(receiver.url, [999]), batchId: draft.batchId }
  expect(await mallory.fetchJson('POST /api/settlements', other, 202)).toMatchObject({ status: 'accepted' })
  expect((await vera.fetch('POST /api/settlements', batchOf(receiver.url, [1]))).status).toBe(403)
})

test('PAY-21 batches are found by ID, reference, recipient, status and currency, and items are exported as CSV', async () => {
  const draft = batchOf(receiver.url, [111, 222])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(ada(), draft.batchId, 'completed')
  const [, second] = draft.items
  for (const query of [`q=${draft.batchId.slice(0, -2)}`, `q=${second?.recipient}&status=completed&currency=EUR`]) {
    const found = await ada().fetchJson<{ items: { batchId: string }[] }>(`GET /api/settlements?${query}`)
    expect(found.items.map(({ batchId }) => batchId)).toContain(draft.batchId)
  }
  const none = await ada().fetchJson<{ items: unknown[] }>(`GET /api/settlements?q=${second?.recipient}&status=failed`)
  expect(none.items).toEqual([])
  const { counts } = await ada().fetchJson<{ counts: { status: string; count: number }[] }>(
    `GET /api/settlements?q=${second?.recipient}&status=failed`,
  )
  expect(counts).toEqual([{ status: 'completed', count: 1 }])
  const csv = await ada().fetch(`GET /api/settlements/${draft.batchId}/items?format=csv&status=settled`)
  expect((await csv.text()).split('\r\n')[2]).toContain(`i-2,${second?.recipient},222,EUR,settled`)
  const file = await ada().fetch(`GET /api/settlements/${draft.batchId}/items/export`)
  expect((await file.text()).split('\r\n').map((line) => line.split(',')[1])).toEqual([
    'reference',
    'i-1',
    'i-2',
    undefined,
  ])
})

test('PAY-31 batches are filtered by days of a time zone, and exported with the same filters as CSV', async () => {
  const draft = batchOf(receiver.url, [333])
  await ada().fetchJson('POST /api/settlements', draft, 202)
  const today = Temporal.Now.plainDateISO('Pacific/Kiritimati')
  const day = (days: number) => today.add({ days }).toString()
  const find = async (query: string) => {
    const path = `?q=${draft.batchId}&timeZone=Pacific/Kiritimati&${query}`
    const { items } = await ada().fetchJson<{ items: { batchId: string }[] }>(`GET /api/settlements${path}`)
    const csv = await (await ada().fetch(`GET /api/pay/settlements/export${path}`)).text()
    const [header, ...rows] = csv.trimEnd().split('\r\n')
    expect(header).toStartWith('id,batchId,status,')
    expect(rows.map((row) => row.split(',')[1])).toEqual(items.map(({ batchId }) => batchId))
    return items.length
  }
  expect(await find(`from=${day(0)}&to=${day(0)}`)).toBe(1)
  expect(await find(`to=${day(-1)}`)).toBe(0)
  expect(await find(`from=${day(1)}`)).toBe(0)
  const { currencies } = await ada().fetchJson<{ currencies: string[] }>('GET /api/settlements?status=failed')
  expect(currencies).toContain('EUR')
})
