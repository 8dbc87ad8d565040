import { openDatabase } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { addMerchant, capture, post, postAll, verifyAll, type Merchant } from '../payments/ledger-fixtures.ts'
import { freshDatabase } from '../support/database.ts'

// Measures how long 100,000 ledger entries take to verify (PAY-12), beside a bare read of the same rows in the same
// rounds, and how many captures per second are posted, one transaction each, beside bare inserts of the same rows.

const [captures, batch, rounds] = [33_334, 1_000, 5]
const limitMs = 2_000
const posts = { count: 600, callers: 8 }

const fresh = await freshDatabase()
const database = openDatabase(fresh.url, posts.callers)
const merchant = await addMerchant(database, newId())
for (let at = 0; at < captures; at += batch) {
  const size = Math.min(batch, captures - at)
  await postAll(
    database,
    Array.from({ length: size }, (_, each) => captureOf(merchant, at + each)),
  )
}
await database.sql`ANALYZE payments.ledger_transactions, payments.ledger_entries`

const measured = { verify: [] as number[], bare: [] as number[], posted: [] as number[], inserted: [] as number[] }
let entries = 0
for (let round = 0; round <= rounds; round++) {
  const bare = await msOf(readBare)
  const verify = await msOf(async () => {
    const verified = await verifyAll(database, merchant)
    entries = verified.entries
    if (!verified.balanced || !verified.chained) throw new Error('The ledger isn’t as it was written')
  })
  const others = await addMerchant(database, newId())
  const posted = posts.count / (await msOf(() => repeat((at) => post(database, captureOf(others, at)))))
  const inserted = posts.count / (await msOf(() => repeat((at) => insertBare(others, at))))
  // The first round is a warm-up.
  if (round > 0) {
    measured.verify.push(verify)
    measured.bare.push(bare)
    measured.posted.push(posted * 1000)
    measured.inserted.push(inserted * 1000)
  }
}
const verifyMs = median(measured.verify)
const ratio = median(measured.verify.map((ms, at) => ms / (measured.bare[at] ?? 0)))
const share = median(measured.posted.map((perSecond, at) => perSecond / (measured.inserted[at] ?? 0)))
console.log(
  `${entries} entries verified in ${verifyMs.toFixed(0)} ms (at most ${limitMs}), ${ratio.toFixed(2)} times a bare read (${median(measured.bare).toFixed(0)} ms)`,
)
console.log(
  `captures of one merchant by ${posts.callers} callers: ${median(measured.posted).toFixed(0)}/s, ${share.toFixed(2)} of bare inserts`,
)
await database.close()
await fresh.drop()
process.exit(verifyMs <= limitMs ? 0 : 1)

function captureOf(owner: Merchant, at: number) {
  return capture(owner, BigInt(1000 + (at % 977)), 30n, { providerTransactionId: `txn_${at}`, orderId: newId() })
}

async function readBare(): Promise<void> {
  const { sql } = database
  await sql`SELECT * FROM payments.ledger_transactions WHERE merchant_id = ${merchant.merchantId} ORDER BY sequence`
  await sql`
    SELECT * FROM payments.ledger_entries WHERE organization_id = ${merchant.organizationId}
    ORDER BY transaction_id, position`
}

/** The same rows with their constraints, without chain, balances and protection from repeats. */
async function insertBare({ organizationId, merchantId }: Merchant, at: number): Promise<void> {
  const id = newId()
  await database.sql.begin(async (sql) => {
    await sql`
      INSERT INTO payments.ledger_transactions (
        id, organization_id, merchant_id, sequence, kind, currency, at, booked_on, order_id, provider_transaction_id, entry_count,
        previous_hash, hash)
      VALUES (${id}, ${organizationId}, ${merchantId}, ${1_000_000 + at}, 'capture', 'EUR', now(), now(), ${newId()},
        ${`bare_${at}`}, 3, ${'0'.repeat(64)}, ${'0'.repeat(64)})`
    await sql`
      INSERT INTO payments.ledger_entries (transaction_id, position, organization_id, merchant_id, account, currency, amount)
      VALUES (${id}, 1, ${organizationId}, ${merchantId}, 'clearing', 'EUR', 970),
        (${id}, 2, ${organizationId}, ${merchantId}, 'fees', 'EUR', 30),
        (${id}, 3, ${organizationId}, ${merchantId}, 'merchant', 'EUR', -1000)`
  })
}

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

/** By callers that each wait for their commit. */
async function repeat(act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const caller = async () => {
    for (let at = next++; at < posts.count; at = next++) await act(at)
  }
  await Promise.all(Array.from({ length: posts.callers }, caller))
}

function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0
}
