import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'

/**
 * What each of the `chosen` transactions (`id`, `order_id`) changed of an order’s revenue and tax, by tax rate. An amount is
 * spread over the order’s rates by their share of its total, rounded once for all that was captured and refunded up to then:
 * the parts of a transaction add up to its amount, and those of an order that is fully paid to its taxes.
 */
const taxPartsOf = (chosen: SQL) => sql`
  WITH chosen AS MATERIALIZED (${chosen}),
  touched AS MATERIALIZED (SELECT DISTINCT order_id FROM chosen WHERE order_id IS NOT NULL),
  moves AS (
    SELECT one.id, one.order_id, one.sequence, entry.currency, -sum(entry.amount) AS amount
    FROM touched
    JOIN payments.ledger_transactions AS one ON one.order_id = touched.order_id
    JOIN payments.ledger_entries AS entry ON entry.transaction_id = one.id AND entry.account = 'merchant'
    GROUP BY 1, 2, 3, 4
  ), running AS (
    SELECT id, order_id, currency, amount, sum(amount) OVER (PARTITION BY order_id, currency ORDER BY sequence) AS through
    FROM moves
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
    SELECT id, currency, tax_rate AS rate, net, tax FROM (${taxPartsOf(chosen)}) AS parts ORDER BY id, currency, tax_rate`)
  return Map.groupBy(Parts.parse(rows), ({ id }) => id)
}

const Sums = z.array(
  z.object({
    currency: z.string(),
    rate: z.number().nullable(),
    net: z.coerce.bigint(),
    tax: z.coerce.bigint(),
  }),
)

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
    SELECT currency, tax_rate AS rate, sum(net) AS net, sum(tax) AS tax FROM (${taxPartsOf(chosen)}) AS parts
    GROUP BY 1, 2
    UNION ALL
    SELECT entry.currency, NULL, -sum(entry.amount), 0
    FROM payments.ledger_transactions AS one
    JOIN payments.ledger_entries AS entry ON entry.transaction_id = one.id AND entry.account = 'merchant'
    WHERE one.merchant_id = ${merchantId} AND one.booked_on BETWEEN ${from} AND ${to} AND one.order_id IS NULL
    GROUP BY 1
    ORDER BY 1, 2 NULLS LAST`)
  return Sums.parse(rows)
}
