import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { capture, postAll } from './ledger-fixtures.ts'

// A server that captures payments of two merchants at the same time: a process of its own for ledger-chain.test.ts.

const Order = z.object({
  url: z.string(),
  merchants: z.array(z.object({ organizationId: z.string(), merchantId: z.string() })),
  count: z.number(),
})

const { url, merchants, count } = Order.parse(JSON.parse(process.argv[2] ?? ''))
// A busy machine takes seconds for captures that wait for each other.
const minute = 60_000
const limits = { statementMs: minute, queueMs: minute, lockMs: minute, idleInTransactionMs: minute }
const database = openDatabase(url, 10, limits)
const each = Array.from({ length: count }, (_, at) => BigInt(at) + 100n)
// Opposite orders, which could wait for each other.
await Promise.all(
  each.map((amount) => {
    const postings = merchants.map((merchant) => capture(merchant, amount, 3n))
    return postAll(database, amount % 2n === 0n ? postings : postings.toReversed())
  }),
)
await database.close()
