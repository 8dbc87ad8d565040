import { and, eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { RefundApprovalFacts } from '../contract/refunds.ts'
import { ledgerBalances, orderLines, orders, refunds } from '../schema.ts'
import { personBehind } from '../second-person.ts'
import { ceilingFor } from '../settings/ceilings.ts'
import { readSettings } from '../settings/settings.ts'
import type { RefundRow } from './rows.ts'

type Facts = z.input<typeof RefundApprovalFacts>

/** What a second person needs to know of each of these refunds, by its ID. */
export async function readApprovalFacts(db: Database, waiting: readonly RefundRow[]): Promise<Map<string, Facts>> {
  const [first] = waiting
  if (!first) return new Map()
  const [rows, lines, settings] = await Promise.all([
    db
      .select({ id: refunds.id, paid: orders.captured, refunded: orders.refunded, held: heldBalance(db) })
      .from(refunds)
      .innerJoin(orders, eq(orders.id, refunds.orderId))
      .where(
        inArray(
          refunds.id,
          waiting.map(({ id }) => id),
        ),
      ),
    db
      .select({ orderId: orderLines.orderId, position: orderLines.position, name: orderLines.name })
      .from(orderLines)
      .where(
        inArray(
          orderLines.orderId,
          waiting.map(({ orderId }) => orderId),
        ),
      ),
    readSettings(db, first.organizationId),
  ])
  const names = new Map(lines.map(({ orderId, position, name }) => [`${orderId} ${position}`, name]))
  const facts = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    waiting.flatMap((refund) => {
      const found = facts.get(refund.id)
      if (!found) return []
      const items = refund.lines.map(({ position, quantity }) => ({
        name: names.get(`${refund.orderId} ${position}`) ?? `Line ${position}`,
        quantity,
      }))
      const { paid, refunded, held } = found
      const ceiling = ceilingFor(settings, { of: 'refunds', currency: refund.currency, person: personBehind(refund) })
      return [[refund.id, { items, paid, refunded, balanceAfter: held - refund.amount, ceiling }] as const]
    }),
  )
}

/** What the provider holds for the merchant of the order. */
const heldBalance = (db: Database) =>
  sql`(${db
    .select({ sum: sql`coalesce(sum(${ledgerBalances.balance}), 0)` })
    .from(ledgerBalances)
    .where(
      and(
        eq(ledgerBalances.merchantId, orders.merchantId),
        eq(ledgerBalances.currency, orders.currency),
        eq(ledgerBalances.account, 'clearing'),
      ),
    )})`.mapWith(BigInt)
