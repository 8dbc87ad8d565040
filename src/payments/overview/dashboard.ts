import { desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { DashboardQuery, PaymentsDashboard } from '../contract/dashboard.ts'
import { listBalances } from '../ledger/balances.ts'
import { merchants, orders } from '../schema.ts'
import { listAttention } from './attention.ts'
import { readMovements, sumMovements, type Movement } from './movements.ts'
import { daysOf, rangeBefore, rangeOf } from './range.ts'

type Stored = Omit<z.input<typeof PaymentsDashboard>, 'can'>

const recentOrders = 8
const latestOrders = 1_000
const usualCurrency = 'EUR'

export async function readDashboard(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  query: DashboardQuery,
): Promise<Stored> {
  const organizationId = organizationOf(actor, 'dashboard:read')
  const range = rangeOf(query, now())
  const currencies = await listCurrencies(db, organizationId)
  const currency = query.currency ?? currencies[0] ?? usualCurrency
  const scope = { organizationId, currency }
  const [movements, before, attention, balances, recent] = await Promise.all([
    readMovements(db, { ...scope, ...range }),
    readMovements(db, { ...scope, ...rangeBefore(range) }),
    listAttention(db, organizationId),
    readBalances(db, organizationId),
    listRecent(db, organizationId),
  ])
  return {
    ...range,
    currency,
    currencies: currencies.includes(currency) ? currencies : [...currencies, currency],
    totals: sumMovements(movements),
    previous: sumMovements(before),
    days: daysOf(range).map((day) => sumDay(movements, day)),
    attention,
    balances,
    recent,
  }
}

function sumDay(movements: readonly Movement[], day: string): { day: string; takings: bigint; refunds: bigint } {
  const { takings, refunds } = sumMovements(movements.filter((movement) => movement.day === day))
  return { day, takings, refunds }
}

/** Of the latest orders, the most used first. */
async function listCurrencies(db: Database, organizationId: string): Promise<string[]> {
  const latest = db
    .select({ currency: orders.currency })
    .from(orders)
    .where(eq(orders.organizationId, organizationId))
    .orderBy(desc(orders.id))
    .limit(latestOrders)
    .as('latest')
  const rows = await db
    .select({ currency: latest.currency })
    .from(latest)
    .groupBy(latest.currency)
    .orderBy(desc(sql`count(*)`), latest.currency)
  return rows.map(({ currency }) => currency)
}

async function readBalances(db: Database, organizationId: string): Promise<Stored['balances']> {
  const [{ items }, named] = await Promise.all([
    listBalances(db, organizationId, { per: 'merchant', limit: 500 }),
    db
      .select({ id: merchants.id, name: merchants.name })
      .from(merchants)
      .where(eq(merchants.organizationId, organizationId)),
  ])
  const names = new Map(named.map(({ id, name }) => [id, name]))
  const found = new Map<string, Stored['balances'][number]>()
  for (const { merchantId, account, currency, balance } of items) {
    if (account !== 'merchant' && account !== 'disputes_held') continue
    const key = `${merchantId} ${currency}`
    const known = found.get(key) ?? {
      merchantId,
      merchantName: names.get(merchantId) ?? '',
      currency,
      available: 0n,
      held: 0n,
    }
    found.set(key, account === 'merchant' ? { ...known, available: -balance } : { ...known, held: balance })
  }
  return [...found.values()]
}

async function listRecent(db: Database, organizationId: string): Promise<Stored['recent']> {
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
    .where(eq(orders.organizationId, organizationId))
    .orderBy(desc(orders.id))
    .limit(recentOrders)
  return rows.map(({ name, email, ...row }) => ({ ...row, customer: name ?? email }))
}
