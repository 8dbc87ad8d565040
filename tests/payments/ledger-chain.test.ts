import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '#lib/ids.ts'
import type { LedgerVerification } from '../../src/payments/contract/ledger.ts'
import { openWorld, type World } from '../support/world.ts'
import { addMerchant, capture, post, postAll, verifyAll, type Merchant } from './ledger-fixtures.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const newMerchant = () => addMerchant(world.database, world.ada.things.organizations)
const verify = ({ merchantId }: Merchant) =>
  world.ada.fetchJson<LedgerVerification>(`GET /api/ledger/verify?merchantId=${merchantId}`)

async function merchantWith(count: number): Promise<Merchant> {
  const merchant = await newMerchant()
  await postAll(
    world.database,
    Array.from({ length: count }, (_, at) => capture(merchant, BigInt(1000 + at), 10n)),
  )
  return merchant
}

test('PAY-12 chains of two merchants are complete after three servers posted 50 captures each to both at once', async () => {
  const merchants = [await newMerchant(), await newMerchant()]
  const order = JSON.stringify({ url: world.provided.config.DATABASE_URL, merchants, count: 50 })
  const servers = Array.from({ length: 3 }, () =>
    Bun.spawn([process.execPath, join(import.meta.dir, 'ledger-poster.ts'), order], { stderr: 'pipe' }),
  )
  for (const server of servers)
    expect([await server.exited, await Bun.readableStreamToText(server.stderr)]).toEqual([0, ''])
  for (const merchant of merchants) {
    const verified = await verify(merchant)
    expect(verified).toMatchObject({ balanced: true, chained: true, differences: [], transactions: 150, entries: 450 })
    expect(verified.heads).toMatchObject([
      { merchantId: merchant.merchantId, verifiedThrough: 150, last: { sequence: 150 } },
    ])
  }
})

test('PAY-12 verification of an organization without transactions succeeds', async () => {
  expect(await verifyAll(world.database, { organizationId: newId(), merchantId: newId() })).toEqual({
    balanced: true,
    chained: true,
    transactions: 0,
    entries: 0,
    differences: [],
    heads: [],
  })
})

/** Changes rows as only the owner of the database can, without the triggers. */
const tamper = (statement: string) =>
  world.database.sql.begin(async (sql) => {
    for (const table of ['ledger_transactions', 'ledger_entries'])
      await sql.unsafe(`ALTER TABLE payments.${table} DISABLE TRIGGER USER`)
    await sql.unsafe(statement)
    for (const table of ['ledger_transactions', 'ledger_entries'])
      await sql.unsafe(`ALTER TABLE payments.${table} ENABLE TRIGGER USER`)
  })

const at = ({ merchantId }: Merchant, sequence: number) => `merchant_id = '${merchantId}' AND sequence = ${sequence}`
const entriesAt = (merchant: Merchant, sequence: number) =>
  `transaction_id = (SELECT id FROM payments.ledger_transactions WHERE ${at(merchant, sequence)})`

const found = async (merchant: Merchant) => {
  const { balanced, chained, differences, heads } = await verify(merchant)
  const through = heads.map(({ verifiedThrough }) => verifiedThrough)
  return { balanced, chained, through, differences: differences.map(({ kind, sequence }): Found => [kind, sequence]) }
}

type Found = [kind: string, sequence: number | null]

const repeat = (kind: string, times: number) => Array.from({ length: times }, (): Found => [kind, null])

test('PAY-12 changed field of a transaction is found at its number', async () => {
  const changes = [
    `note = 'x'`,
    `kind = 'fee'`,
    `at = at + interval '1 millisecond'`,
    `currency = 'USD'`,
    `order_id = gen_random_uuid()`,
    `refund_id = gen_random_uuid()`,
    `dispute_id = gen_random_uuid()`,
    `item_id = gen_random_uuid()`,
    `provider_transaction_id = 'txn'`,
    `corrects_id = gen_random_uuid()`,
    `created_by = gen_random_uuid()`,
    `organization_id = gen_random_uuid()`,
    `id = gen_random_uuid()`,
    `hash = previous_hash`,
  ]
  for (const change of changes) {
    const merchant = await merchantWith(4)
    await tamper(`UPDATE payments.ledger_transactions SET ${change} WHERE ${at(merchant, 3)}`)
    const { chained, through, differences } = await found(merchant)
    expect([change, chained, through, differences[0]]).toEqual([change, false, [2], ['hash', 3]])
  }
})

test('PAY-12 changed amounts are found at their transaction and in the balances, also when they sum to zero', async () => {
  const merchant = await merchantWith(5)
  await tamper(`UPDATE payments.ledger_entries SET amount = amount * 2 WHERE ${entriesAt(merchant, 4)}`)
  expect(await found(merchant)).toEqual({
    balanced: false,
    chained: false,
    through: [3],
    differences: [['hash', 4], ...repeat('balance', 3)],
  })
  await tamper(`UPDATE payments.ledger_entries SET amount = 7 WHERE ${entriesAt(merchant, 2)} AND account = 'fees'`)
  expect((await found(merchant)).differences.slice(0, 3)).toEqual([
    ['hash', 2],
    ['unbalanced', 2],
    ['hash', 4],
  ])
})

test('PAY-12 removed transaction is found as a missing number, and its entries as orphans', async () => {
  const merchant = await merchantWith(5)
  await tamper(`DELETE FROM payments.ledger_transactions WHERE ${at(merchant, 3)}`)
  expect(await found(merchant)).toEqual({
    balanced: false,
    chained: false,
    through: [2],
    differences: [['missing', 3], ...repeat('orphan', 3), ...repeat('balance', 3)],
  })
})

test('PAY-12 entry moved to another merchant is found at its transaction', async () => {
  const [merchant, other] = [await merchantWith(3), await newMerchant()]
  await tamper(
    `UPDATE payments.ledger_entries SET merchant_id = '${other.merchantId}' WHERE ${entriesAt(merchant, 2)} AND position = 1`,
  )
  expect((await found(merchant)).differences[0]).toEqual(['hash', 2])
})

test('PAY-12 removed end of a chain is found by its head, and a changed head too', async () => {
  const [cut, moved] = [await merchantWith(3), await merchantWith(3)]
  await tamper(
    `DELETE FROM payments.ledger_entries WHERE ${entriesAt(cut, 3)}; DELETE FROM payments.ledger_transactions WHERE ${at(cut, 3)}`,
  )
  expect(await found(cut)).toMatchObject({
    chained: false,
    through: [2],
    differences: [['head', 3], ...repeat('balance', 3)],
  })
  await tamper(`UPDATE payments.ledger_heads SET sequence = 4 WHERE merchant_id = '${moved.merchantId}'`)
  expect(await found(moved)).toMatchObject({ balanced: true, chained: false, differences: [['head', 4]] })
})

test('PAY-12 transaction rewritten with a hash of its own is found at the one after it', async () => {
  const merchant = await merchantWith(4)
  await tamper(`UPDATE payments.ledger_transactions SET note = 'x' WHERE ${at(merchant, 2)}`)
  const [difference] = (await verify(merchant)).differences
  expect(difference).toMatchObject({ kind: 'hash', sequence: 2 })
  await tamper(`UPDATE payments.ledger_transactions SET hash = '${difference?.expected}' WHERE ${at(merchant, 2)}`)
  expect(await found(merchant)).toEqual({
    balanced: true,
    chained: false,
    through: [2],
    differences: [['link', 3]],
  })
})

test('PAY-12 changed balance is found', async () => {
  const merchant = await merchantWith(2)
  await tamper(
    `UPDATE payments.ledger_balances SET balance = balance + 1 WHERE merchant_id = '${merchant.merchantId}' AND account = 'fees'`,
  )
  expect((await verify(merchant)).differences).toMatchObject([
    { kind: 'balance', account: 'fees', currency: 'EUR', venueId: null, expected: '20', stored: '21' },
  ])
})

test('PAY-12 third party verifies the proof with the documented program, which finds a changed line', async () => {
  const merchant = await newMerchant()
  const note = 'Ünïcode 💶 \\ "quotes" \u2028 \u007f\n\t'
  await post(world.database, capture(merchant, 1234n, 5n, { note, createdBy: newId(), venueId: newId() }))
  await postAll(world.database, [capture(merchant, 10n ** 17n, 1n), capture(merchant, 3n, 1n)])
  const response = await world.ada.fetch(`GET /api/ledger/proof?merchantId=${merchant.merchantId}`)
  expect(response.headers.get('content-type')).toStartWith('application/x-ndjson')
  const proof = await response.text()
  const lines = proof.trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) {
    const [, text = '', hash] = /^(.*),"hash":"([0-9a-f]{64})"\}$/su.exec(line) ?? []
    expect(createHash('sha256').update(`${text}}`).digest('hex')).toBe(hash ?? '')
  }
  expect(await runVerifier(proof)).toEqual([0, '3 transactions verified\n'])
  const [status] = await runVerifier(proof.replace('"amount":"-3"', '"amount":"-4"'))
  expect(status).not.toBe(0)
  expect((await runVerifier(`${lines[0]}\n${lines[2]}\n`))[0]).not.toBe(0)
})

/** The program in docs/payments-ledger.md. */
async function runVerifier(proof: string): Promise<[status: number, output: string]> {
  const document = readFileSync(join(import.meta.dir, '..', '..', 'docs', 'payments-ledger.md'), 'utf8')
  const [, program = ''] = /```js\n([\s\S]*?)```/.exec(document) ?? []
  const child = Bun.spawn([process.execPath, '-e', program], {
    stdin: Buffer.from(proof),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = await Bun.readableStreamToText(child.stdout)
  return [await child.exited, output]
}
