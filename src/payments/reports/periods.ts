import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import { localDay, monthOf } from '#lib/time.ts'
import { Month, type Period, type PeriodClosing, type PeriodFilter, type PeriodList } from '../contract/reports.ts'
import { getReportedMerchant } from './merchants.ts'

type ReportCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now'>

const permission = 'reports:read'

const Rows = z.array(
  z.object({
    merchantId: z.string(),
    merchantName: z.string(),
    timeZone: z.string(),
    month: z.string(),
    openFrom: z.string().nullable(),
    transactions: z.number(),
    late: z.number(),
    closedAt: z.coerce.date().nullable(),
    closedBy: z.string().nullable(),
    sequence: z.coerce.bigint().nullable(),
    hash: z.string().nullable(),
  }),
)

/** The months in which merchants have bookings or that were closed, and the current ones, the newest first. */
export async function listPeriods(
  call: ReportCall,
  { merchantId, ...page }: PeriodFilter,
): Promise<z.input<typeof PeriodList>> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, permission)
  if (merchantId !== undefined) await getReportedMerchant(db, organizationId, merchantId)
  const keys = { month: sql<string>`known.month`, merchantId: sql<string>`known.merchant_id::text` }
  const slice = keyset({ month: [keys.month, Month], merchantId: [keys.merchantId, z.guid()] }, 'desc').slice(page)
  const rows = Rows.parse(
    await db.execute(sql`${periodsOf(monthsOf({ organizationId, merchantId, now: now() }))}
      ${slice.where ? sql`WHERE ${slice.where}` : sql``}
      ORDER BY ${sql.join(slice.order, sql`, `)} LIMIT ${slice.limit}`),
  )
  const { items, nextCursor } = slice.page(rows)
  const people = await call.identity.people([...new Set(items.flatMap(({ closedBy }) => closedBy ?? []))])
  const serviceId = await call.identity.serviceId('platform-pay')
  return {
    nextCursor,
    can: { close: isAllowed(actor, 'settings:write', serviceId) },
    items: items.map((row) => describePeriod(row, now(), people.get(row.closedBy ?? '')?.name ?? null)),
  }
}

/** After it was closed, on that transaction: without names, since identity would be asked while it holds the ledger. */
export async function readClosed(
  { db, now }: Pick<ReportCall, 'db' | 'now'>,
  { merchantId, month }: PeriodClosing,
): Promise<z.input<typeof Period>> {
  const one = sql`
    SELECT id AS merchant_id, name, timezone, ${month}::text AS month FROM payments.merchants WHERE id = ${merchantId}`
  const [row] = Rows.parse(await db.execute(periodsOf(one)))
  if (!row) throw new Error(`The merchant ${merchantId} of a closed period is gone`)
  return describePeriod(row, now(), null)
}

function describePeriod(
  { timeZone, openFrom, ...row }: z.output<typeof Rows>[number],
  now: Date,
  closedByName: string | null,
): z.input<typeof Period> {
  return {
    ...row,
    state: openFrom !== null && row.month < monthOf(openFrom) ? 'closed' : 'open',
    isOver: row.month < monthOf(localDay(now, timeZone)),
    closedByName,
  }
}

/** Of months (`merchant_id`, `name`, `timezone`, `month`). */
const periodsOf = (known: SQL) => sql`
      SELECT known.merchant_id AS "merchantId", known.name AS "merchantName", known.timezone AS "timeZone", known.month,
        head.open_from::text AS "openFrom", closed.closed_at AS "closedAt", closed.closed_by AS "closedBy",
        closed.sequence::text AS sequence, closed.hash, (
          SELECT count(*)::int FROM payments.ledger_transactions AS one
          WHERE one.merchant_id = known.merchant_id AND one.booked_on >= (known.month || '-01')::date
            AND one.booked_on < (known.month || '-01')::date + interval '1 month'
        ) AS transactions, (
          SELECT count(*)::int FROM payments.ledger_transactions AS one
          WHERE one.merchant_id = known.merchant_id AND one.closed_month = known.month
        ) AS late
  FROM (${known}) AS known
  LEFT JOIN payments.ledger_heads AS head ON head.merchant_id = known.merchant_id
  LEFT JOIN payments.closed_periods AS closed
    ON closed.merchant_id = known.merchant_id AND closed.month = known.month`

interface Wanted {
  organizationId: string
  merchantId: string | undefined
  now: Date
}

/** Found by jumping from month to month over the index, so that a year of bookings isn’t read. */
const monthsOf = ({ organizationId, merchantId, now }: Wanted) => sql`
  WITH RECURSIVE sellers AS MATERIALIZED (
    SELECT id AS merchant_id, name, timezone FROM payments.merchants
    WHERE organization_id = ${organizationId} ${merchantId === undefined ? sql`` : sql`AND id = ${merchantId}`}
  ), booked AS (
    SELECT seller.merchant_id, (
      SELECT min(one.booked_on) FROM payments.ledger_transactions AS one
      WHERE one.merchant_id = seller.merchant_id) AS day
    FROM sellers AS seller
    UNION ALL
    SELECT booked.merchant_id, (
      SELECT min(one.booked_on) FROM payments.ledger_transactions AS one
      WHERE one.merchant_id = booked.merchant_id
        AND one.booked_on >= date_trunc('month', booked.day::timestamp)::date + interval '1 month')
    FROM booked WHERE booked.day IS NOT NULL
  )
  SELECT seller.merchant_id, seller.name, seller.timezone, months.month FROM sellers AS seller JOIN (
    SELECT merchant_id, to_char(day, 'YYYY-MM') AS month FROM booked WHERE day IS NOT NULL
    UNION SELECT merchant_id, month FROM payments.closed_periods WHERE organization_id = ${organizationId}
    UNION SELECT merchant_id, to_char(${now.toISOString()}::timestamptz AT TIME ZONE timezone, 'YYYY-MM') FROM sellers
  ) AS months ON months.merchant_id = seller.merchant_id`

/** The oldest open month with bookings of a merchant. */
export async function firstOpenMonth(
  db: Database,
  merchantId: string,
  openFrom: string | null,
): Promise<string | null> {
  const rows = await db.execute(sql`
    SELECT to_char(min(booked_on), 'YYYY-MM') AS month FROM payments.ledger_transactions
    WHERE merchant_id = ${merchantId} ${openFrom === null ? sql`` : sql`AND booked_on >= ${openFrom}`}`)
  return Months.parse(rows)[0]?.month ?? null
}

const Months = z.array(z.object({ month: z.string().nullable() }))
