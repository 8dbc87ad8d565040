import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '#lib/backup.ts'
import { restore } from '#lib/backup/restore.ts'
import { openStorage } from '#lib/storage.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { databaseUrl } from '../support/postgres.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'
import { wireServer } from '../support/world/wire.ts'
import { invoicesOf, type ShownInvoice } from './invoicing.ts'
import { capture, postAll, type Merchant } from './ledger-fixtures.ts'
import { addMerchantIn } from './reports/fixtures.ts'
import { refundsOf } from './refunding.ts'
import { shopOf } from './shop.ts'

let world: World
let restored: TestDatabase
const home = mkdtempSync(join(tmpdir(), 'atrium-restored-'))
const undo: (() => Promise<unknown> | void)[] = []

beforeAll(async () => {
  world = await openWorld()
  restored = await emptyDatabase()
})
afterAll(async () => {
  for (const step of undo.toReversed()) await step()
  await world.close()
  await restored.drop()
  rmSync(home, { recursive: true, force: true })
})

/** Each table of payments with how many rows it has. */
async function countsOf(sql: World['database']['sql']): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'payments'`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ rows: number }[]>(`SELECT count(*)::int AS rows FROM payments.${name}`)
    counts[name] = row?.rows ?? 0
  }
  return counts
}

/** A server with the data of a backup of the world. */
async function restoreWorld() {
  const { secrets } = world.provided
  const [row] = await world.database.sql<{ name: string }[]>`SELECT current_database() AS name`
  // Fixtures that aren’t sealed: a backup names the keys of sealed texts.
  await world.database.sql`
    UPDATE gateway.email_messages SET sealed_content = ${secrets.seal('', 'none')} WHERE sealed_content = 'sealed'`
  const path = join(home, 'backup.tar.gz')
  const url = databaseUrl(restored.url, row?.name ?? '')
  await backup({ url, storage: world.provided.storage, secrets, path, now: new Date() })
  const storage = openStorage({ DATA_DIR: home, S3_REGION: '' })
  await restore({ url: restored.url, storage, secrets, path, replace: false, unsigned: false })
  const server = await wireServer({ url: restored.url, home, undo })
  return { ada: callerOf(server.handle, world.ada.credential), sql: server.database.sql }
}

const verify = async (caller: Caller) => {
  const {
    verifiedAt: _,
    durationMs: __,
    ...found
  } = await caller.fetchJson<Record<string, unknown>>('GET /api/ledger/verify')
  return found
}

const sequenceOf = ({ number }: Pick<ShownInvoice, 'number'>): number => Number(number?.split('-').at(-1))

const close = ({ merchantId }: Merchant, month: string, by: Caller) =>
  by.fetch('POST /api/reports/periods', { merchantId, month })

test('PLT-35 PAY-12 PAY-30 after a restore the ledger verifies, closed months stay closed, and invoice numbers go on', async () => {
  const shop = shopOf(world.ada, world.stranger)
  const sold = await shop.sell()
  const before = await invoicesOf(world.ada).issue({ orderId: sold.id })
  await refundsOf(world).create({ orderId: sold.id, amount: 200 })
  await world.ada.fetchJson('POST /api/customers', { name: 'Nina' }, 201)
  const merchant = await addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
  await postAll(world.database, [capture(merchant, 1_000n, 10n, { at: new Date('2026-09-15T12:00:00Z') })])
  expect((await close(merchant, '2026-09', world.ada)).status).toBe(201)
  const verified = await verify(world.ada)
  expect(verified).toMatchObject({ balanced: true, chained: true })

  const { ada, sql } = await restoreWorld()
  const counts = await countsOf(sql)
  expect(counts).toEqual(await countsOf(world.database.sql))
  for (const name of ['invoices', 'invoice_numbers', 'customers', 'closed_periods', 'ledger_days', 'merchants'])
    expect([name, (counts[name] ?? 0) > 0]).toEqual([name, true])
  expect(await verify(ada)).toEqual(verified)
  expect(await ada.fetchJson('GET /api/reports/check?from=2026-01-01&to=2026-12-31')).toMatchObject({ matches: true })
  const closedTwice = await close(merchant, '2026-09', ada)
  expect([closedTwice.status, (await closedTwice.json()).code]).toEqual([409, 'period_closed'])
  const next = await invoicesOf(ada).issue()
  expect(sequenceOf(next)).toBe(sequenceOf(before) + 1)
  await expect(sql`UPDATE payments.invoices SET total = 1 WHERE id = ${before.id}`).rejects.toThrow()
  await expect(sql`DELETE FROM payments.closed_periods`).rejects.toThrow()
})
