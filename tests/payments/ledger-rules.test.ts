import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TransactionSql } from 'postgres'
import type { DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { postTransaction } from '../../src/payments/ledger/post.ts'
import { ledgerData } from '../../src/payments/ledger/tenant-data.ts'
import { openWorld, type World } from '../support/world.ts'
import { addMerchant, capture, post, postAll, quiet, verifyAll, type Merchant } from './ledger-fixtures.ts'

// What the database itself refuses, whatever the code does: here to PostgreSQL's superuser.

let world: World
let database: DatabaseHandle
let merchant: Merchant

beforeAll(async () => {
  world = await openWorld()
  database = world.database
  merchant = await addMerchant(database, newId())
})
afterAll(() => world.close())

const tables = ['ledger_transactions', 'ledger_entries', 'ledger_balances', 'ledger_heads']

async function countRows(table: string, organizationId: string): Promise<number> {
  const { sql } = database
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${sql(`payments.${table}`)} WHERE organization_id = ${organizationId}`
  return row?.count ?? 0
}

test('PAY-12 transaction whose entries don’t sum to zero is refused at the commit, and changes no balance', async () => {
  const entries = [
    { account: 'clearing', amount: 100n },
    { account: 'merchant', amount: -99n },
  ] as const
  let posted = false
  const posting = database.transaction(async (tx) => {
    posted = await postTransaction(quiet, tx, capture(merchant, 0n, 0n, { entries }))
  })
  await expect(posting).rejects.toThrow('is not balanced')
  expect(posted).toBe(true)
  for (const table of tables) expect([table, await countRows(table, merchant.organizationId)]).toEqual([table, 0])
})

interface Given {
  entryCount: number
  entries: readonly (readonly [position: number, currency: string, amount: number])[]
}

/** Around the product’s code. */
const insert = ({ entryCount, entries }: Given) =>
  database.sql.begin(async (sql) => {
    const id = newId()
    await sql`
      INSERT INTO payments.ledger_transactions (
        id, organization_id, merchant_id, sequence, kind, currency, at, booked_on, entry_count, previous_hash, hash)
      VALUES (${id}, ${merchant.organizationId}, ${merchant.merchantId}, 1, 'capture', 'EUR', now(), now(), ${entryCount},
        ${'0'.repeat(64)}, ${'0'.repeat(64)})`
    for (const entry of entries) await insertEntry(sql, id, merchant, entry)
  })

const insertEntry = (
  sql: TransactionSql,
  id: string,
  { organizationId, merchantId }: Merchant,
  [position, currency, amount]: Given['entries'][number],
) => sql`
  INSERT INTO payments.ledger_entries (transaction_id, position, organization_id, merchant_id, account, currency, amount)
  VALUES (${id}, ${position}, ${organizationId}, ${merchantId}, 'corrections', ${currency}, ${amount})`

test('PAY-12 transaction with one entry, fewer than it declares, or two currencies that cancel out is refused', async () => {
  const [first, second] = [[1, 'EUR', 5] as const, [2, 'EUR', -5] as const]
  await expect(insert({ entryCount: 1, entries: [first] })).rejects.toThrow('ledger_transactions_entries')
  await expect(insert({ entryCount: 3, entries: [first, second] })).rejects.toThrow('is not balanced')
  await expect(insert({ entryCount: 2, entries: [] })).rejects.toThrow('is not balanced')
  await expect(insert({ entryCount: 2, entries: [first, [2, 'JPY', -5]] })).rejects.toThrow('is not balanced')
  await expect(insert({ entryCount: 2, entries: [first, second, [3, 'EUR', 0]] })).rejects.toThrow('entries_amount')
})

test('PAY-12 posted transactions and entries can’t be updated, deleted or truncated', async () => {
  const own = await addMerchant(database, newId())
  await post(database, capture(own, 100n, 1n))
  for (const table of ['ledger_transactions', 'ledger_entries'])
    for (const statement of [
      `UPDATE payments.${table} SET currency = 'USD' WHERE organization_id = '${own.organizationId}'`,
      `DELETE FROM payments.${table} WHERE organization_id = '${own.organizationId}'`,
      `TRUNCATE payments.${table}`,
    ])
      await expect(database.sql.unsafe(statement).execute()).rejects.toThrow(`${table} is append-only`)
  expect(await verifyAll(database, own)).toMatchObject({ balanced: true, chained: true, entries: 3 })
})

test('PAY-12 entries can’t be added to a transaction later, even balanced ones', async () => {
  const own = await addMerchant(database, newId())
  const id = newId()
  await post(database, capture(own, 100n, 1n, { id }))
  const add = (position: number, to: string, of: Merchant) =>
    database.sql.begin(async (sql) => {
      await insertEntry(sql, to, of, [position, 'EUR', 5])
      await insertEntry(sql, to, of, [position + 1, 'EUR', -5])
    })
  const refused = 'entries are only added with their transaction'
  await expect(add(4, id, own)).rejects.toThrow(refused)
  await expect(add(2, id, own)).rejects.toThrow('duplicate key')
  await expect(add(1, newId(), own)).rejects.toThrow(refused)
  expect(await verifyAll(database, own)).toMatchObject({ balanced: true, chained: true, entries: 3 })
})

test('PAY-12 entry of another merchant than its transaction is refused', async () => {
  const own = await addMerchant(database, newId())
  const mixed = database.sql.begin(async (sql) => {
    const id = newId()
    await sql`
      INSERT INTO payments.ledger_transactions (
        id, organization_id, merchant_id, sequence, kind, currency, at, booked_on, entry_count, previous_hash, hash)
      VALUES (${id}, ${own.organizationId}, ${own.merchantId}, 1, 'capture', 'EUR', now(), now(), 2, ${'0'.repeat(64)},
        ${'0'.repeat(64)})`
    await insertEntry(sql, id, own, [1, 'EUR', 5])
    await insertEntry(sql, id, merchant, [2, 'EUR', -5])
  })
  await expect(mixed).rejects.toThrow('entries are only added with their transaction')
})

test('PAY-12 erasure deletes the ledger of the erased organization only, and its setting allows nothing else', async () => {
  const [erased, kept] = [await addMerchant(database, newId()), await addMerchant(database, newId())]
  for (const own of [erased, kept]) await postAll(database, [capture(own, 100n, 1n), capture(own, 200n, 2n)])
  const whileErasing = (statement: string) =>
    database.sql.begin(async (sql) => {
      await sql`SELECT set_config('atrium.erased_tenant', ${erased.organizationId}, true)`
      await sql.unsafe(statement)
    })
  for (const statement of [
    `DELETE FROM payments.ledger_entries WHERE organization_id = '${kept.organizationId}'`,
    `UPDATE payments.ledger_entries SET amount = 5 WHERE organization_id = '${erased.organizationId}'`,
    'TRUNCATE payments.ledger_entries',
  ])
    await expect(whileErasing(statement)).rejects.toThrow('append-only')

  const work = { ...world.provided, database, now: () => new Date() }
  await eraseOrganizationData(work, ledgerData, erased.organizationId)
  for (const table of tables) {
    expect([table, await countRows(table, erased.organizationId)]).toEqual([table, 0])
    expect([table, await countRows(table, kept.organizationId)]).not.toEqual([table, 0])
  }
  expect(await verifyAll(database, kept)).toMatchObject({ balanced: true, chained: true, transactions: 2 })
})
