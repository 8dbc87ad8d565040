import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { AnalyticsQuery, PaymentAnalytics } from '../contract/analytics.ts'
import { outcomeCounts, readBreakdown, triesWithin } from '../overview/breakdown.ts'
import { daysOf, rangeBefore } from '../overview/range.ts'
import { listPlaces } from '../places.ts'
import { reportTimeZone } from '../reports/merchants.ts'
import { orderPayments, orders } from '../schema.ts'
import { listUsedCurrencies } from '../used-currencies.ts'
import { listTopCustomers, readBuyers, readTimes } from './sales.ts'
import { analyticsRange, type AnalyticsScope } from './scope.ts'
import { listTopVenues, readTakings, type TakingsOfDay } from './takings.ts'

type AnalyticsCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'identity'>
type Stored = z.input<typeof PaymentAnalytics>

const permission = 'analytics:read'
const usualCurrency = 'EUR'

/** @throws {Problem} 404, 422 */
export async function readAnalytics(call: AnalyticsCall, query: AnalyticsQuery): Promise<Stored> {
  const { db, actor, now, identity } = call
  const organizationId = organizationOf(actor, permission)
  const timeZone = await reportTimeZone(db, organizationId, query.merchantId)
  const range = analyticsRange(query, { now: now(), timeZone })
  const currencies = await listUsedCurrencies(db, orders, eq(orders.organizationId, organizationId))
  const currency = query.currency ?? currencies[0] ?? usualCurrency
  const { merchantId, venueId } = query
  const scope: AnalyticsScope = { organizationId, currency, merchantId, venueId, timeZone, ...range }
  const earlier: AnalyticsScope = { ...scope, ...rangeBefore(range) }
  const canReadCustomers = isAllowed(actor, 'customers:read', await identity.serviceId('platform-pay'))
  const [places, takings, before, breakdown, modes, previousModes, times, buyers, topVenues, topCustomers] =
    await Promise.all([
      listPlaces(db, organizationId),
      readTakings(db, scope),
      readTakings(db, earlier),
      readBreakdown(db, scope),
      readModes(db, scope),
      readModes(db, earlier),
      readTimes(db, scope),
      readBuyers(db, scope),
      listTopVenues(db, scope),
      canReadCustomers ? listTopCustomers(db, scope) : null,
    ])
  return {
    ...range,
    timeZone,
    currency,
    currencies: currencies.includes(currency) ? currencies : [...currencies, currency],
    ...places,
    totals: totalsOf(takings, modes),
    previous: totalsOf(before, previousModes),
    days: describeDays(range, takings, before),
    outcomes: breakdown.payments,
    modes,
    methods: breakdown.methods,
    declines: breakdown.declines,
    ...times,
    buyers,
    topVenues,
    topCustomers,
  }
}

const readModes = async (db: Database, scope: AnalyticsScope) =>
  db
    .select({ mode: orderPayments.mode, ...outcomeCounts })
    .from(orderPayments)
    .innerJoin(orders, eq(orders.id, orderPayments.orderId))
    .where(triesWithin(scope))
    .groupBy(orderPayments.mode)
    .orderBy(orderPayments.mode)

type Modes = Awaited<ReturnType<typeof readModes>>

function totalsOf(rows: readonly TakingsOfDay[], modes: Modes): Stored['totals'] {
  const sumOf = (field: 'takings' | 'refunds' | 'fees' | 'net') => rows.reduce((sum, row) => sum + row[field], 0n)
  const countOf = (field: 'payments' | 'openedDisputes') => rows.reduce((sum, row) => sum + row[field], 0)
  const [takings, refunds, payments, disputes] = [
    sumOf('takings'),
    sumOf('refunds'),
    countOf('payments'),
    countOf('openedDisputes'),
  ]
  const succeeded = modes.reduce((sum, mode) => sum + mode.succeeded, 0)
  const attempts = modes.reduce((sum, mode) => sum + mode.declined + mode.abandoned, succeeded)
  return {
    takings,
    payments,
    averageOrder: payments > 0 ? divide(takings, BigInt(payments)) : null,
    refunds,
    refundRate: rateOf(Number(refunds), Number(takings)),
    disputes,
    disputeRate: rateOf(disputes, payments),
    fees: sumOf('fees'),
    net: sumOf('net'),
    attempts,
    conversion: rateOf(succeeded, attempts),
  }
}

/** Rounded half up. */
const divide = (whole: bigint, parts: bigint): bigint => (2n * whole + parts) / (2n * parts)

const precision = 10_000

const rateOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((part / whole) * precision) / precision : null

/** Days without movements as well. */
function describeDays(
  range: { from: string; to: string },
  takings: readonly TakingsOfDay[],
  before: readonly TakingsOfDay[],
): Stored['days'] {
  const own = new Map(takings.map((row) => [row.day, row]))
  const earlier = new Map(before.map((row) => [row.day, row]))
  const previousDays = daysOf(rangeBefore(range))
  return daysOf(range).map((day, at) => {
    const { takings: taken = 0n, payments = 0, refunds = 0n, fees = 0n, net = 0n } = own.get(day) ?? {}
    return {
      day,
      takings: taken,
      payments,
      refunds,
      fees,
      net,
      previous: earlier.get(previousDays[at] ?? '')?.takings ?? 0n,
    }
  })
}
