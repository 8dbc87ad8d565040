import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type {
  LedgerBalanceList,
  LedgerTransaction,
  LedgerTransactionList,
  LedgerVerification,
} from '../../src/payments/contract/ledger.ts'
import { postTransaction } from '../../src/payments/ledger/post.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'
import { addMerchant, capture, post, postAll, quiet, type Merchant } from './ledger-fixtures.ts'

let world: World
let acme: Merchant
let umbrella: Merchant

beforeAll(async () => {
  world = await openWorld()
  acme = await addMerchant(world.database, world.ada.things.organizations)
  umbrella = await addMerchant(world.database, world.mallory.things.organizations)
})
afterAll(() => world.close())

const list = (query = '') => world.ada.fetchJson<LedgerTransactionList>(`GET /api/ledger?${query}`)
const verify = (query = '') => world.ada.fetchJson<LedgerVerification>(`GET /api/ledger/verify?${query}`)

const balancesOf = async ({ merchantId }: Merchant, query = '') => {
  const path = `GET /api/ledger/balances?limit=100&merchantId=${merchantId}&${query}`
  const { items } = await world.ada.fetchJson<LedgerBalanceList>(path)
  return Object.fromEntries(items.map(({ account, currency, balance }) => [`${account} ${currency}`, balance]))
}

test('PAY-12 capture is listed with its balanced entries, and its merchant’s balances change', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  expect(await post(world.database, capture(merchant, 4260n, 89n, { providerTransactionId: 'txn_listed' }))).toBe(true)
  const { items } = await list(`merchantId=${merchant.merchantId}`)
  expect(items).toMatchObject([
    {
      merchantId: merchant.merchantId,
      sequence: 1,
      kind: 'capture',
      currency: 'EUR',
      at: '2026-11-21T10:20:30.456Z',
      providerReference: 'txn_listed',
      previousHash: '0'.repeat(64),
      entries: [
        { account: 'clearing', amount: 4171, currency: 'EUR', venueId: null },
        { account: 'fees', amount: 89 },
        { account: 'merchant', amount: -4260 },
      ],
    },
  ])
  expect(await world.ada.fetchJson<LedgerTransaction>(`GET /api/ledger/${items[0]?.id}`)).toEqual(items[0]!)
  expect(await balancesOf(merchant)).toEqual({ 'clearing EUR': 4171, 'fees EUR': 89, 'merchant EUR': -4260 })
})

test('PAY-12 provider transaction is posted once per kind, also when it is repeated in one call or asked for at once', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  const posting = capture(merchant, 500n, 5n, { providerTransactionId: 'txn_once' })
  const fee = { ...posting, kind: 'fee' as const }
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(world.database, posting)))
  expect(answers.filter(Boolean)).toHaveLength(1)
  const other = capture(merchant, 700n, 7n, { providerTransactionId: 'txn_other' })
  expect(await postAll(world.database, [posting, fee, other, { ...other }])).toEqual([false, true, true, false])
  expect((await list(`merchantId=${merchant.merchantId}`)).items.map(({ sequence }) => sequence)).toEqual([3, 2, 1])
  expect(await balancesOf(merchant)).toMatchObject({ 'merchant EUR': -1700 })
})

test('PAY-12 provider transaction that another server commits while this one waits is not posted again', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  await post(world.database, capture(merchant, 100n, 1n))
  const raced = capture(merchant, 500n, 5n, { providerTransactionId: 'txn_raced' })
  const fresh = capture(merchant, 700n, 7n, { providerTransactionId: 'txn_fresh' })
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = world.database.transaction(async (tx) => {
    await postTransaction(quiet, tx, raced)
    held.resolve()
    await released.promise
  })
  await held.promise
  const second = postAll(world.database, [raced, fresh])
  expect(await eventually(isWaiting)).toBe(true)
  released.resolve()
  await first
  expect(await second).toEqual([false, true])
  expect((await list(`merchantId=${merchant.merchantId}`)).items.map(({ sequence }) => sequence)).toEqual([3, 2, 1])
  expect(await balancesOf(merchant)).toMatchObject({ 'merchant EUR': -1300 })
  expect(await verify(`merchantId=${merchant.merchantId}`)).toMatchObject({ balanced: true, chained: true })
})

/** Whether a statement waits for a lock. */
async function isWaiting(): Promise<boolean> {
  const rows = await world.database.sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length > 0
}

test('PAY-12 amount of zero gets no entry', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  await post(world.database, capture(merchant, 500n, 0n))
  const { items } = await list(`merchantId=${merchant.merchantId}`)
  expect(items[0]?.entries.map(({ account }) => account)).toEqual(['clearing', 'merchant'])
})

test('PAY-12 currencies with 0, 2, 3 and 4 decimals have balances of their own', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  const amounts = { JPY: 3200n, EUR: 1234n, KWD: 4250n, CLF: 12_3456n }
  for (const [currency, amount] of Object.entries(amounts))
    await post(world.database, capture(merchant, amount, 11n, { currency }))
  expect(await balancesOf(merchant)).toEqual(
    Object.fromEntries(
      Object.entries(amounts).flatMap(([currency, amount]) => [
        [`clearing ${currency}`, Number(amount - 11n)],
        [`fees ${currency}`, 11],
        [`merchant ${currency}`, -Number(amount)],
      ]),
    ),
  )
  const { items } = await list(`merchantId=${merchant.merchantId}&currency=KWD`)
  expect(items.map(({ currency }) => currency)).toEqual(['KWD'])
  expect(await verify(`merchantId=${merchant.merchantId}`)).toMatchObject({
    balanced: true,
    chained: true,
    entries: 12,
  })
})

test('PAY-12 balances of venues are separate and add up to those of their merchant', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  const [shop, till] = [newId(), newId()]
  await postAll(world.database, [
    capture(merchant, 100n, 1n, { venueId: shop }),
    capture(merchant, 200n, 2n, { venueId: till }),
    capture(merchant, 400n, 4n),
  ])
  expect(await balancesOf(merchant, `venueId=${till}`)).toMatchObject({ 'merchant EUR': -200 })
  expect(await balancesOf(merchant, 'per=merchant')).toEqual({
    'clearing EUR': 693,
    'fees EUR': 7,
    'merchant EUR': -700,
  })
  const first = await world.ada.fetchJson<LedgerBalanceList>(
    `GET /api/ledger/balances?limit=2&merchantId=${merchant.merchantId}`,
  )
  const next = await world.ada.fetchJson<LedgerBalanceList>(
    `GET /api/ledger/balances?limit=100&merchantId=${merchant.merchantId}&cursor=${first.nextCursor}`,
  )
  expect(first.items.length + next.items.length).toBe(9)
  expect(new Set([...first.items, ...next.items].map((item) => JSON.stringify(item))).size).toBe(9)
})

test('PAY-12 list is filtered by account, kind, order, day and number, newest first and page by page', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  const orderId = newId()
  const moves = [
    { account: 'merchant', amount: 50n },
    { account: 'refunds_in_transit', amount: -50n },
  ] as const
  const postings = [
    capture(merchant, 300n, 3n, { orderId, at: new Date('2026-10-30T23:59:59.999Z') }),
    capture(merchant, 400n, 4n, { at: new Date('2026-10-31T00:00:00Z'), providerTransactionId: 'txn_filtered' }),
    capture(merchant, 50n, 0n, { orderId, kind: 'refund_created', entries: moves }),
  ]
  for (const posting of postings) await post(world.database, posting)
  const numbers = async (query: string) =>
    (await list(`merchantId=${merchant.merchantId}&${query}`)).items.map(({ sequence }) => sequence)
  expect(await numbers('')).toEqual([3, 2, 1])
  expect(await numbers('account=refunds_in_transit')).toEqual([3])
  expect(await numbers('account=fees')).toEqual([2, 1])
  expect(await numbers('kind=refund_created')).toEqual([3])
  expect(await numbers(`orderId=${orderId}`)).toEqual([3, 1])
  expect(await numbers('from=2026-10-31&to=2026-10-31')).toEqual([2])
  expect(await numbers('to=2026-10-30')).toEqual([1])
  expect(await numbers('q=2')).toEqual([2])
  expect(await numbers('q=0,002')).toEqual([2])
  expect(await numbers('q=txn_filtered')).toEqual([2])
  expect(await numbers('q=2026-99999')).toEqual([])
  const { nextCursor } = await list(`merchantId=${merchant.merchantId}&limit=2`)
  expect(await numbers(`limit=2&cursor=${nextCursor}`)).toEqual([1])
})

test('PAY-12 filtered list is exported as CSV in which no note is a formula', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  await post(world.database, capture(merchant, 300n, 3n, { note: '=HYPERLINK("https://evil.example")' }))
  const response = await world.ada.fetch(`GET /api/ledger?format=csv&merchantId=${merchant.merchantId}`)
  expect(response.headers.get('content-type')).toStartWith('text/csv')
  const [header = '', line = ''] = (await response.text()).split('\r\n')
  expect(header).toStartWith('id,merchantId,merchantName,sequence,kind,currency,at')
  expect(line).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
})

test('PAY-12 correction adds balanced entries for a transaction, which stays as it was, and is audited', async () => {
  const merchant = await addMerchant(world.database, acme.organizationId)
  await post(world.database, capture(merchant, 4260n, 74n))
  const [wrong] = (await list(`merchantId=${merchant.merchantId}`)).items
  const draft = {
    correctsId: wrong?.id,
    currency: 'EUR',
    note: 'The fee was 0.89',
    entries: [
      { account: 'fees', amount: 15 },
      { account: 'clearing', amount: -15 },
    ],
  }
  const correction = await world.ada.fetchJson<LedgerTransaction>('POST /api/ledger/corrections', draft, 201)
  expect(correction).toMatchObject({
    kind: 'correction',
    sequence: 2,
    merchantId: merchant.merchantId,
    correctsId: wrong?.id,
    correctsSequence: 1,
    note: 'The fee was 0.89',
    createdBy: world.ada.id,
    previousHash: wrong?.hash,
  })
  expect(await world.ada.fetchJson<LedgerTransaction>(`GET /api/ledger/${wrong?.id}`)).toEqual(wrong!)
  expect(await balancesOf(merchant)).toEqual({ 'clearing EUR': 4171, 'fees EUR': 89, 'merchant EUR': -4260 })
  const [auditRow] = await world.database.sql`
    SELECT operation, object_kind, principal_id, after FROM platform.audit_log WHERE object_id = ${correction.id}`
  expect(auditRow).toMatchObject({
    operation: 'createLedgerCorrection',
    object_kind: 'ledger_transaction',
    principal_id: world.ada.id,
    after: { note: 'The fee was 0.89', entries: [{ account: 'fees', amount: '15' }, {}] },
  })
})

test('PAY-12 correction that doesn’t sum to zero, has one entry or no merchant is refused', async () => {
  const send = async (draft: object) => {
    const base = { currency: 'EUR', note: 'Why', merchantId: acme.merchantId }
    const response = await world.ada.fetch('POST /api/ledger/corrections', { ...base, ...draft })
    const { errors = [] }: { errors?: { path: string; message: string }[] } = await response.json()
    return [response.status, ...errors.map(({ path }) => path)]
  }
  const entries = (...amounts: number[]) => amounts.map((amount) => ({ account: 'corrections', amount }))
  expect(await send({ entries: entries(5, -4) })).toEqual([422, 'entries'])
  expect(await send({ entries: entries(5) })).toEqual([422, 'entries'])
  expect(await send({ entries: entries(5, 0, -5) })).toEqual([422, 'entries.1.amount'])
  expect(await send({ entries: entries(5, -5), merchantId: undefined })).toEqual([422, 'merchantId'])
  expect(await send({ entries: entries(5, -5), currency: 'XYZ' })).toEqual([422, 'currency'])
  expect(await send({ entries: entries(5, -5), note: ' ' })).toEqual([422, 'note'])
  expect(await send({ entries: entries(5, -5), venueId: newId() })).toEqual([404])
  expect(await send({ entries: entries(5, -5), merchantId: umbrella.merchantId })).toEqual([404])
  expect(await balancesOf(acme)).toEqual({})
})

test('PAY-12 amount of a correction has one bound, whether it is sent as entries or as postings of the form', async () => {
  const send = async (draft: object) => {
    const base = { currency: 'EUR', note: 'Why', merchantId: acme.merchantId }
    const response = await world.ada.fetch('POST /api/ledger/corrections', { ...base, ...draft })
    const { code, errors = [] }: { code?: string; errors?: { path: string; message: string }[] } = await response.json()
    return [response.status, code, ...errors.map(({ path }) => path)]
  }
  const entries = (amount: number) => [
    { account: 'corrections', amount },
    { account: 'clearing', amount: -amount },
  ]
  const postings = (amount: string) => [{ debit: 'corrections', credit: 'clearing', amount }]
  expect(await send({ entries: entries(1_000_000_000_001) })).toEqual([
    422,
    'validation_failed',
    'entries.0.amount',
    'entries.1.amount',
  ])
  for (const amount of ['10000000000.01', '99999999999999999999999999.99'])
    expect(await send({ postings: postings(amount) })).toEqual([422, 'validation_failed', 'postings.0.amount'])
  expect(await balancesOf(acme)).toEqual({})
  expect(await send({ postings: postings('10000000000.00') })).toEqual([201, undefined])
})

test('PAY-12 viewer can’t create a correction', async () => {
  const entries = [
    { account: 'fees', amount: 1 },
    { account: 'clearing', amount: -1 },
  ]
  const draft = { merchantId: acme.merchantId, currency: 'EUR', note: 'Why', entries }
  expect((await world.vera.fetch('POST /api/ledger/corrections', draft)).status).toBe(403)
})

test('PAY-12 other organization sees no transaction, balance, proof or verification of a merchant', async () => {
  await post(world.database, capture(umbrella, 900n, 9n))
  const theirs = await world.mallory.fetchJson<LedgerTransactionList>(
    `GET /api/ledger?merchantId=${umbrella.merchantId}`,
  )
  expect(theirs.items).toHaveLength(1)
  const [transaction] = theirs.items
  expect((await world.ada.fetch(`GET /api/ledger/${transaction?.id}`)).status).toBe(404)
  expect((await list(`merchantId=${umbrella.merchantId}`)).items).toEqual([])
  expect((await list('q=1&limit=100')).items.map(({ id }) => id)).not.toContain(transaction?.id ?? '')
  expect(await balancesOf(umbrella)).toEqual({})
  for (const path of ['verify', 'proof'])
    expect((await world.ada.fetch(`GET /api/ledger/${path}?merchantId=${umbrella.merchantId}`)).status).toBe(404)
  const { heads } = await verify()
  expect(heads.map(({ merchantId }) => merchantId)).not.toContain(umbrella.merchantId)
  const draft = { correctsId: transaction?.id, currency: 'EUR', note: 'Why' }
  const entries = [
    { account: 'fees', amount: 1 },
    { account: 'clearing', amount: -1 },
  ]
  expect((await world.ada.fetch('POST /api/ledger/corrections', { ...draft, entries })).status).toBe(404)
})

test('PAY-12 posting for a merchant of another organization fails', async () => {
  const foreign = { organizationId: acme.organizationId, merchantId: umbrella.merchantId }
  await expect(post(world.database, capture(foreign, 100n, 1n))).rejects.toThrow('is not one of organization')
  const unknown = { organizationId: acme.organizationId, merchantId: newId() }
  await expect(post(world.database, capture(unknown, 100n, 1n))).rejects.toThrow('is not one of organization')
})
