import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { executePrepared, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { orders } from '../schema.ts'
import type { PricedLine } from './totals.ts'

type OrderRow = typeof orders.$inferSelect

/** All that is chosen for a new order; the rest of its columns have defaults. */
type NewOrder = Omit<
  OrderRow,
  'number' | 'status' | 'authorized' | 'captured' | 'refunded' | 'refundsReserved' | 'paidAt' | 'closedAt' | 'version'
>

const Numbered = z.tuple([z.object({ number: z.string() })])

/**
 * Inserts an order with its lines and the first event of its timeline. It gets the organization’s next number, such as
 * `2026-00431`, whose row stays locked until the transaction ends: one statement, and the last one if possible.
 */
export async function insertOrder(tx: Database, order: NewOrder, lines: readonly PricedLine[]): Promise<OrderRow> {
  const given = JSON.stringify({ ...order, ...amountsOf(order), eventId: newId() })
  const rows = await executePrepared(
    tx,
    sql`WITH given AS MATERIALIZED (
      SELECT *, extract(year FROM "createdAt" AT TIME ZONE 'UTC')::integer AS year
      FROM json_to_record(${given}::json) AS given (
        id uuid, "organizationId" uuid, "merchantId" uuid, "venueId" uuid, "customerId" uuid, currency text, "taxMode" text,
        "taxRounding" text, subtotal bigint, discount bigint, tax bigint, total bigint, "customerEmail" text,
        "customerName" text, metadata jsonb, "expiresAt" timestamptz, "createdBy" uuid, "createdAt" timestamptz,
        "eventId" uuid)
    ), counter AS (
      INSERT INTO payments.order_numbers AS counter (organization_id, year, last)
      SELECT "organizationId", year, 1 FROM given
      ON CONFLICT (organization_id, year) DO UPDATE SET last = counter.last + 1
      RETURNING year || '-' || lpad(last::text, greatest(5, length(last::text)), '0') AS number
    ), created AS (
      INSERT INTO payments.orders (
        id, organization_id, merchant_id, venue_id, customer_id, number, currency, tax_mode, tax_rounding, subtotal, discount, tax,
        total, customer_email, customer_name, metadata, expires_at, created_by, created_at)
      SELECT id, "organizationId", "merchantId", "venueId", "customerId", number, currency, "taxMode", "taxRounding", subtotal,
        discount, tax, total, "customerEmail", "customerName", metadata, "expiresAt", "createdBy", "createdAt"
      FROM given, counter
      RETURNING number
    ), lines AS (
      INSERT INTO payments.order_lines (
        order_id, organization_id, position, name, quantity, unit_amount, discount, tax_rate, tax, total)
      SELECT given.id, "organizationId", line.position, line.name, line.quantity, line."unitAmount", line.discount,
        line."taxRate", line.tax, line.total
      FROM given, json_to_recordset(${JSON.stringify(lines.map((line) => ({ ...line, ...amountsOf(line) })))}::json) AS line (
        position integer, name text, quantity integer, "unitAmount" bigint, discount bigint, "taxRate" integer,
        tax bigint, total bigint)
    ), event AS (
      INSERT INTO payments.order_events (id, order_id, organization_id, kind, by, at)
      SELECT "eventId", id, "organizationId", 'created', "createdBy", "createdAt" FROM given
    ) SELECT number FROM created`,
  )
  const [{ number }] = Numbered.parse(rows)
  return {
    ...order,
    number,
    status: 'pending',
    authorized: 0n,
    captured: 0n,
    refunded: 0n,
    refundsReserved: 0n,
    paidAt: null,
    closedAt: null,
    version: 1,
  }
}

/** JSON has no bigint. */
const amountsOf = (row: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (typeof value === 'bigint' ? [[name, String(value)]] : [])),
  )
