import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '#lib/backup.ts'
import { restore } from '#lib/backup/restore.ts'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { migrate } from '#lib/db/migrate.ts'
import { newId } from '#lib/ids.ts'
import { createSecrets } from '#lib/secrets.ts'
import { openStorage } from '#lib/storage.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { ledgerData } from '../../src/payments/ledger/tenant-data.ts'
import { administer } from '../support/database.ts'
import { databaseUrl } from '../support/postgres.ts'
import { currentRun } from '../support/run-folder.ts'
import { openWorld, type World } from '../support/world.ts'
import { addMerchant, capture, post, postAll, verifyAll, type Merchant } from './ledger-fixtures.ts'

// In a database of an operator, the server’s role owns the tables and isn’t a superuser.

const name = Bun.randomUUIDv7('hex').replaceAll('-', '')
const role = `owner_${name}`
const home = mkdtempSync(join(tmpdir(), 'atrium-ledger-'))

let world: World
let database: DatabaseHandle
let merchant: Merchant
let [url, other] = ['', '']

async function createOwned(adminUrl: string, suffix: string): Promise<string> {
  const owned = `test_${name}_${suffix}`
  await administer(adminUrl, (sql) => sql.unsafe(`CREATE DATABASE ${owned} OWNER ${role} TEMPLATE template0`))
  const address = new URL(databaseUrl(adminUrl, owned))
  address.username = role
  address.password = 'owner'
  return address.href
}

beforeAll(async () => {
  world = await openWorld()
  const { adminUrl } = await currentRun()
  await administer(adminUrl, (sql) => sql.unsafe(`CREATE ROLE ${role} LOGIN PASSWORD 'owner'`))
  url = await createOwned(adminUrl, 'first')
  other = await createOwned(adminUrl, 'second')
  await migrate(url)
  database = openDatabase(url, 4)
  merchant = await addMerchant(database, newId())
  await postAll(database, [
    capture(merchant, 100n, 1n),
    capture(merchant, 200n, 2n, { note: 'Ünïcode \\ "quotes"\n\t' }),
  ])
})
afterAll(async () => {
  await database.close()
  const { adminUrl } = await currentRun()
  await administer(adminUrl, async (sql) => {
    for (const suffix of ['first', 'second']) await sql.unsafe(`DROP DATABASE test_${name}_${suffix} WITH (FORCE)`)
    await sql.unsafe(`DROP ROLE ${role}`)
  })
  await world.close()
  rmSync(home, { recursive: true, force: true })
})

/** Refused by missing privileges, before any trigger. */
async function expectRefusals({ sql }: DatabaseHandle): Promise<void> {
  for (const table of ['ledger_transactions', 'ledger_entries'])
    for (const statement of [
      `UPDATE payments.${table} SET currency = 'USD'`,
      `DELETE FROM payments.${table}`,
      `TRUNCATE payments.${table}`,
    ])
      await expect(sql.unsafe(statement).execute()).rejects.toThrow(`permission denied for table ${table}`)
}

test('PAY-12 owner of the tables has no privilege to update, delete or truncate the ledger', async () => {
  await expectRefusals(database)
  expect(await verifyAll(database, merchant)).toMatchObject({ balanced: true, chained: true, transactions: 2 })
})

test('PAY-12 erasure by the owner of the tables deletes a ledger and leaves the privileges as they were', async () => {
  const erased = await addMerchant(database, newId())
  await post(database, capture(erased, 100n, 1n))
  const work = { ...world.provided, database, now: () => new Date() }
  await eraseOrganizationData(work, ledgerData, erased.organizationId)
  expect(await verifyAll(database, erased)).toMatchObject({ transactions: 0, entries: 0, differences: [], heads: [] })
  await expectRefusals(database)
  expect(await verifyAll(database, merchant)).toMatchObject({ balanced: true, chained: true, transactions: 2 })
})

test('PAY-12 ledger restored from a backup has the same chain, continues it, and is append-only', async () => {
  const storage = openStorage({ DATA_DIR: home, S3_REGION: '' })
  const options = { storage, secrets: createSecrets(new Uint8Array(32).fill(7)), path: join(home, 'backup.tar.gz') }
  await backup({ ...options, url, now: new Date() })
  await restore({ ...options, url: other, replace: false, unsigned: false })
  const restored = openDatabase(other, 4)
  const before = await verifyAll(database, merchant)
  expect(await verifyAll(restored, merchant)).toEqual(before)
  expect(before).toMatchObject({ balanced: true, chained: true, transactions: 2 })
  await post(restored, capture(merchant, 300n, 3n))
  const after = await verifyAll(restored, merchant)
  expect(after).toMatchObject({ balanced: true, chained: true, transactions: 3 })
  await expectRefusals(restored)
  await restored.close()
})
