import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { DashboardQuery, PaymentsDashboard } from '../contract/dashboard.ts'
import { listBalances } from '../ledger/balances.ts'
import { orders } from '../schema.ts'
import { listUsedCurrencies } from '../used-currencies.ts'
import { listAttention } from './attention.ts'
import { readBreakdown } from './breakdown.ts'
import { readMovements, sumMovements, sumVenues, type Movement } from './movements.ts'
import { listPayouts } from './payouts.ts'
import { listPlaces } from '../places.ts'
import { daysOf, rangeBefore, rangeOf } from './range.ts'

type Stored = Omit<z.input<typeof PaymentsDashboard>, 'can'>

const recentOrders = 8
const usualCurrency = 'EUR'

export async function readDashboard(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  query: DashboardQuery,
): Promise<Stored> {
  const organizationId = organizationOf(actor, 'dashboard:read')
  const range = rangeOf(query, now())
  const currencies = await listUsedCurrencies(db, orders, eq(orders.organizationId, organizationId))
  const currency = query.currency ?? currencies[0] ?? usualCurrency
  const { merchantId } = query
  const scope = { organizationId, currency, merchantId }
  const [movements, before, breakdown, payouts, places, attention, balances, recent] = await Promise.all([
    readMovements(db, { ...scope, ...range }),
    readMovements(db, { ...scope, ...rangeBefore(range) }),
    readBreakdown(db, { ...scope, ...range }),
    listPayouts(db, organizationId, merchantId),
    listPlaces(db, organizationId),
    listAttention(db, organizationId),
    readBalances(db, organizationId, merchantId),
    listRecent(db, organizationId, merchantId),
  ])
  return {
    ...range,
    currency,
    currencies: currencies.includes(currency) ? currencies : [...currencies, currency],
    totals: sumMovements(movements),
    previous: sumMovements(before),
    days: daysOf(range).map((day) => sumDay(movements, day)),
    venues: sumVenues(movements, places.venues, daysOf(range)),
    ...breakdown,
    payouts,
    merchants: places.merchants,
    attention,
    balances,
    recent,
  }
}

function sumDay(movements: readonly Movement[], day: string): { day: string; takings: bigint; refunds: bigint } {
  const { takings, refunds } = sumMovements(movements.filter((movement) => movement.day === day))
  return { day, takings, refunds }
}

async function readBalances(
  db: Database,
  organizationId: string,
  only: string | undefined,
): Promise<Stored['balances']> {
  const { items } = await listBalances(db, organizationId, { per: 'merchant', limit: 500, merchantId: only })
  const found = new Map<string, Stored['balances'][number]>()
  for (const { merchantId, merchantName, account, currency, balance } of items) {
    if (account !== 'merchant' && account !== 'disputes_held') continue
    const key = `${merchantId} ${currency}`
    const known = found.get(key) ?? {
      merchantId,
      merchantName: merchantName ?? '',
      currency,
      available: 0n,
      held: 0n,
    }
    found.set(key, account === 'merchant' ? { ...known, available: -balance } : { ...known, held: balance })
  }
  return [...found.values()]
}

async function listRecent(
  db: Database,
  organizationId: string,
  merchantId: string | undefined,
): Promise<Stored['recent']> {
  const rows = await db
    .select({
      id: orders.id,
      number: orders.number,
      status: orders.status,
      total: orders.total,
      currency: orders.currency,
      name: orders.customerName,
      email: orders.customerEmail,
      createdAt: orders.createdAt,
    })
    .from(orders)
    .where(
      and(
        eq(orders.organizationId, organizationId),
        merchantId === undefined ? undefined : eq(orders.merchantId, merchantId),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(recentOrders)
  return rows.map(({ name, email, ...row }) => ({ ...row, customer: name ?? email }))
}
