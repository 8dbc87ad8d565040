import { and, eq, isNotNull, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { withinDays } from '#lib/days.ts'
import type { Database } from '#lib/db.ts'
import { wallTime } from '#lib/time.ts'
import { orders } from '../schema.ts'
import type { AnalyticsScope } from './scope.ts'

/** Orders that were paid on the days. */
const paidWithin = ({ organizationId, currency, merchantId, venueId, ...days }: AnalyticsScope): SQL | undefined =>
  and(
    eq(orders.organizationId, organizationId),
    isNotNull(orders.paidAt),
    withinDays(orders.paidAt, days),
    eq(orders.currency, currency),
    merchantId === undefined ? undefined : eq(orders.merchantId, merchantId),
    venueId === undefined ? undefined : eq(orders.venueId, venueId),
  )

interface Sales {
  orders: number
  takings: bigint
}

/** By the hour of the weekday at which orders were paid. */
export async function readTimes(db: Database, scope: AnalyticsScope) {
  const paidAt = sql`${orders.paidAt} AT TIME ZONE ${scope.timeZone}`
  const rows = await db
    .select({
      weekday: sql<number>`extract(isodow FROM ${paidAt})::int`.as('weekday'),
      hour: sql<number>`extract(hour FROM ${paidAt})::int`.as('hour'),
      orders: sql<number>`count(*)::int`,
      takings: sql`sum(${orders.captured})`.mapWith(BigInt),
    })
    .from(orders)
    .where(paidWithin(scope))
    .groupBy(sql`weekday, hour`)
  const sumOf = (matches: (row: (typeof rows)[number]) => boolean): Sales => addUp(rows.filter(matches))
  return {
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...sumOf((row) => row.hour === hour) })),
    weekdays: Array.from({ length: 7 }, (_, at) => ({ weekday: at + 1, ...sumOf((row) => row.weekday === at + 1) })),
  }
}

const addUp = (rows: readonly Sales[]): Sales => ({
  orders: rows.reduce((sum, row) => sum + row.orders, 0),
  takings: rows.reduce((sum, row) => sum + row.takings, 0n),
})

const Buyers = z.array(
  z.object({
    kind: z.enum(['new', 'returning', 'guests']),
    customers: z.number(),
    orders: z.number(),
    takings: z.coerce.bigint(),
  }),
)

const byCustomer = (scope: AnalyticsScope): SQL => sql`
  SELECT customer_id, count(*)::int AS orders, sum(captured) AS takings FROM ${orders}
  WHERE ${paidWithin(scope)} GROUP BY customer_id`

/** Customers are new when none of their orders was paid before. */
export async function readBuyers(db: Database, scope: AnalyticsScope) {
  const begin = wallTime(`${scope.from}T00:00`, scope.timeZone).toISOString()
  const rows = await db.execute(sql`
    SELECT CASE WHEN customer_id IS NULL THEN 'guests'
        WHEN EXISTS (SELECT FROM payments.orders AS earlier
          WHERE earlier.customer_id = sold.customer_id AND earlier.paid_at < ${begin}) THEN 'returning'
        ELSE 'new' END AS kind,
      count(customer_id)::int AS customers, sum(orders)::int AS orders, sum(takings) AS takings
    FROM (${byCustomer(scope)}) AS sold GROUP BY 1`)
  const found = new Map(Buyers.parse(rows).map(({ kind, ...sums }) => [kind, sums]))
  const none = { customers: 0, orders: 0, takings: 0n }
  return {
    new: found.get('new') ?? none,
    returning: found.get('returning') ?? none,
    guests: found.get('guests') ?? none,
  }
}

const maxCustomers = 5

const TopCustomers = z.array(
  z.object({ id: z.string(), name: z.string().nullable(), orders: z.number(), takings: z.coerce.bigint() }),
)

export async function listTopCustomers(db: Database, scope: AnalyticsScope): Promise<z.output<typeof TopCustomers>> {
  const rows = await db.execute(sql`
    SELECT customers.id, coalesce(customers.name, customers.email) AS name, orders, takings
    FROM (${byCustomer(scope)}) AS sold JOIN payments.customers ON customers.id = sold.customer_id
    ORDER BY takings DESC, customers.id LIMIT ${maxCustomers}`)
  return TopCustomers.parse(rows)
}
