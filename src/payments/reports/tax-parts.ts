import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { partsOfReturned } from './returned-parts.ts'

const movesOf = (chosen: SQL) => sql`
  chosen AS MATERIALIZED (${chosen}),
  touched AS MATERIALIZED (SELECT DISTINCT order_id FROM chosen WHERE order_id IS NOT NULL),
  moves AS MATERIALIZED (
    SELECT one.id, one.order_id, one.sequence, one.refund_id, entry.currency, -sum(entry.amount) AS amount
    FROM touched
    JOIN payments.ledger_transactions AS one ON one.order_id = touched.order_id
    JOIN payments.ledger_entries AS entry ON entry.transaction_id = one.id AND entry.account = 'merchant'
    GROUP BY 1, 2, 3, 4, 5
  ), returned AS MATERIALIZED (SELECT DISTINCT order_id FROM moves WHERE amount < 0)`

/**
 * What each of the `chosen` transactions (`id`, `order_id`) added to an order’s revenue and tax, by tax rate, for orders of
 * which nothing was returned. An amount is spread over the order’s rates by their share of its total, rounded once for all
 * that was captured up to then: the parts of a transaction add up to its amount, and those of an order that is fully paid
 * to its taxes.
 */
const capturedParts = (chosen: SQL) => sql`
  WITH ${movesOf(chosen)},
  running AS (
    SELECT id, order_id, currency, amount, sum(amount) OVER (PARTITION BY order_id, currency ORDER BY sequence) AS through
    FROM moves WHERE order_id NOT IN (SELECT order_id FROM returned)
  ), rates AS (
    SELECT line.order_id, line.tax_rate, sum(line.total - line.tax) AS net, sum(line.tax) AS tax
    FROM touched JOIN payments.order_lines AS line ON line.order_id = touched.order_id
    GROUP BY 1, 2 HAVING sum(line.total) > 0
  ), shares AS (
    SELECT order_id, tax_rate, net, tax, sum(net + tax) OVER (PARTITION BY order_id) AS total,
      sum(net + tax) OVER (PARTITION BY order_id ORDER BY tax_rate) - net - tax AS before
    FROM rates
  )
  SELECT running.id, running.currency, shares.tax_rate, running.amount,
    div(through * (before + net), total) - div(through * before, total)
      - div((through - amount) * (before + net), total) + div((through - amount) * before, total) AS net,
    div(through * (before + net + tax), total) - div(through * (before + net), total)
      - div((through - amount) * (before + net + tax), total) + div((through - amount) * (before + net), total) AS tax
  FROM chosen JOIN running ON running.id = chosen.id JOIN shares ON shares.order_id = running.order_id`

const Moves = z.array(
  z.object({
    id: z.string(),
    orderId: z.string(),
    currency: z.string(),
    amount: z.coerce.bigint(),
    isChosen: z.boolean(),
    refundId: z.string().nullable(),
    refunded: z.array(z.object({ position: z.int(), amount: z.int() })),
  }),
)
const Lines = z.array(
  z.object({
    orderId: z.string(),
    position: z.int(),
    taxRate: z.int(),
    tax: z.coerce.bigint(),
    total: z.coerce.bigint(),
  }),
)

/** Of the chosen transactions of the other orders. */
async function readReturnedParts(db: Database, chosen: SQL): Promise<TaxPart[]> {
  const moves = Moves.parse(
    await db.execute(sql`
      WITH ${movesOf(chosen)}
      SELECT moves.id, moves.order_id AS "orderId", moves.currency, moves.amount::text AS amount,
        moves.id IN (SELECT id FROM chosen) AS "isChosen", moves.refund_id AS "refundId",
        coalesce(refunds.lines, '[]') AS refunded
      FROM moves JOIN returned ON returned.order_id = moves.order_id
      LEFT JOIN payments.refunds ON refunds.id = moves.refund_id
      ORDER BY moves.sequence`),
  )
  if (moves.length === 0) return []
  const lines = Lines.parse(
    await db.execute(sql`
      SELECT order_id AS "orderId", position, tax_rate AS "taxRate", tax::text AS tax, total::text AS total
      FROM payments.order_lines WHERE order_id = ANY (${sql.param([...new Set(moves.map(({ orderId }) => orderId))])}::uuid[])
      ORDER BY order_id, position`),
  )
  const linesOf = Map.groupBy(lines, ({ orderId }) => orderId)
  return [...Map.groupBy(moves, ({ orderId, currency }) => `${orderId} ${currency}`).values()].flatMap((own) => {
    const parts = partsOfReturned(linesOf.get(own[0]?.orderId ?? '') ?? [], own)
    return own.flatMap(({ id, currency, isChosen }, at) =>
      isChosen ? (parts[at] ?? []).map((part) => ({ id, currency, ...part })) : [],
    )
  })
}

const Parts = z.array(
  z.object({
    id: z.string(),
    currency: z.string(),
    rate: z.number(),
    net: z.coerce.bigint(),
    tax: z.coerce.bigint(),
  }),
)
export type TaxPart = z.output<typeof Parts>[number]

/** Of these transactions, by their IDs, with the lowest rate (in millionths) first. */
export async function readTaxParts(db: Database, ids: readonly string[]): Promise<Map<string, TaxPart[]>> {
  const chosen = sql`
    SELECT id, order_id FROM payments.ledger_transactions WHERE id = ANY (${sql.param(ids)}::uuid[])`
  const rows = await db.execute(sql`
    SELECT id, currency, tax_rate AS rate, net, tax FROM (${capturedParts(chosen)}) AS parts`)
  const parts = [...Parts.parse(rows), ...(await readReturnedParts(db, chosen))]
  return Map.groupBy(
    parts.toSorted((one, other) => one.rate - other.rate),
    ({ id }) => id,
  )
}

const Sums = z.array(
  z.object({
    currency: z.string(),
    rate: z.number().nullable(),
    net: z.coerce.bigint(),
    tax: z.coerce.bigint(),
  }),
)
type TaxSum = z.output<typeof Sums>[number]

interface Range {
  merchantId: string
  from: string
  to: string
}

/** Of all that was captured, refunded and lost in a range of days, by currency and rate; null for amounts without an order. */
export async function sumTaxes(db: Database, { merchantId, from, to }: Range): Promise<z.output<typeof Sums>> {
  const chosen = sql`
    SELECT id, order_id FROM payments.ledger_transactions
    WHERE merchant_id = ${merchantId} AND booked_on BETWEEN ${from} AND ${to}`
  const rows = await db.execute(sql`
    SELECT currency, tax_rate AS rate, sum(net) AS net, sum(tax) AS tax FROM (${capturedParts(chosen)}) AS parts
    GROUP BY 1, 2
    UNION ALL
    SELECT entry.currency, NULL, -sum(entry.amount), 0
    FROM payments.ledger_transactions AS one
    JOIN payments.ledger_entries AS entry ON entry.transaction_id = one.id AND entry.account = 'merchant'
    WHERE one.merchant_id = ${merchantId} AND one.booked_on BETWEEN ${from} AND ${to} AND one.order_id IS NULL
    GROUP BY 1`)
  const sums = [...Sums.parse(rows), ...(await readReturnedParts(db, chosen))]
  return [...Map.groupBy(sums, ({ currency, rate }) => `${currency} ${rate}`).values()]
    .flatMap((own) => {
      const [first] = own
      return first ? { ...first, net: sum(own.map(({ net }) => net)), tax: sum(own.map(({ tax }) => tax)) } : []
    })
    .toSorted(byCurrencyAndRate)
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, each) => total + each, 0n)

/** What has no rate last. */
const byCurrencyAndRate = (one: TaxSum, other: TaxSum): number =>
  one.currency === other.currency
    ? (one.rate ?? Number.MAX_SAFE_INTEGER) - (other.rate ?? Number.MAX_SAFE_INTEGER)
    : one.currency < other.currency
      ? -1
      : 1
