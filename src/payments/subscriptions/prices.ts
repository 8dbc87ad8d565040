import { and, desc, eq, lte, ne } from 'drizzle-orm'
import type { z } from 'zod'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { capitalize } from '#lib/text.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { Package, type PackageList, type PackagePriceDraft } from '../contract/subscriptions.ts'
import { toProviderUnits } from '../provider-units.ts'
import { packagePrices, providerPrices } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { payerOf, type PayingRow, type PriceRow } from './rows.ts'

/** What new subscribers pay now, from the smallest package to the largest. */
export async function listPrices(db: Database, now: Date): Promise<z.input<typeof PackageList>> {
  const { package: name, currency, activeFrom } = packagePrices
  const rows = await db
    .selectDistinctOn([name, currency])
    .from(packagePrices)
    .where(and(lte(activeFrom, now), ne(name, 'free')))
    .orderBy(name, currency, desc(activeFrom))
  const order = Package.options
  return { items: rows.toSorted((a, b) => order.indexOf(a.package) - order.indexOf(b.package)), nextCursor: null }
}

/** For those who subscribe from then on. @throws {Problem} 409 for a time that has one, 422 for one in the past */
export async function addPrice(
  { db, now }: Pick<PaymentsWork, 'db' | 'now'>,
  { activeFrom: wanted, ...draft }: PackagePriceDraft,
): Promise<PriceRow> {
  const createdAt = now()
  const activeFrom = wanted ?? createdAt
  if (activeFrom < createdAt) throw invalid([{ path: 'activeFrom', message: 'Must not be in the past.' }])
  const [row] = await db
    .insert(packagePrices)
    .values({ ...draft, activeFrom, createdAt, interval: draft.package === 'free' ? 'year' : 'month' })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('price_exists', 'The package has another price from this time on. Choose another time.')
  const { id, package: name, currency, unitAmount } = row
  recordChange(db, {
    object: 'package_price',
    id,
    after: { package: name, currency, unitAmount: Number(unitAmount), activeFrom },
  })
  return row
}

/** @throws {Problem} 422 for a currency in which it isn’t sold */
export async function currentPrice(
  db: Database,
  wanted: { package: Package; currency: string },
  now: Date,
): Promise<PriceRow> {
  const { package: name, currency, activeFrom } = packagePrices
  const [row] = await db
    .select()
    .from(packagePrices)
    .where(and(eq(name, wanted.package), eq(currency, wanted.currency), lte(activeFrom, now)))
    .orderBy(desc(activeFrom))
    .limit(1)
  if (row) return row
  throw invalid([{ path: 'currency', message: `The package isn’t sold in ${wanted.currency}.` }])
}

export async function readPrice(db: Database, id: string): Promise<PriceRow> {
  const [row] = await db.select().from(packagePrices).where(eq(packagePrices.id, id))
  if (!row) throw new Error('The price of a subscription is gone')
  return row
}

const freeProduct = { name: 'Atrium Free, yearly verification' }

/** The price’s ID at the provider, where the first subscriber has it created. @throws {Problem} of the gateway */
export async function ensureProviderPrice(
  { db, gateway }: Pick<PaymentsWork, 'db' | 'gateway'>,
  subscription: PayingRow,
  price: PriceRow,
): Promise<string> {
  const { accountKey } = subscription
  const known = and(eq(providerPrices.priceId, price.id), eq(providerPrices.accountKey, accountKey))
  const read = async () => (await db.select().from(providerPrices).where(known))[0]?.providerPriceId
  const found = await read()
  if (found !== undefined) return found
  const made = await gateway.payments.createPrice({
    ...payerOf(subscription),
    idempotencyKey: price.id,
    currency: price.currency,
    unitAmount: toProviderUnits(price.unitAmount, price.currency),
    recurring: { interval: price.interval },
    productData:
      price.package === 'free' ? freeProduct : { name: `Atrium ${capitalize(price.package)}`, unitLabel: 'seat' },
    metadata: { priceId: price.id, package: price.package },
  })
  await db
    .insert(providerPrices)
    .values({ priceId: price.id, accountKey, providerPriceId: made.id })
    .onConflictDoNothing()
  return (await read()) ?? made.id
}

/** Ours, by its ID at the provider; null for one that was made there by hand. */
export async function findPrice(tx: Database, accountKey: string, providerPriceId: string): Promise<PriceRow | null> {
  const [row] = await tx
    .select({ price: packagePrices })
    .from(packagePrices)
    .innerJoin(providerPrices, eq(providerPrices.priceId, packagePrices.id))
    .where(and(eq(providerPrices.accountKey, accountKey), eq(providerPrices.providerPriceId, providerPriceId)))
    .limit(1)
  return row?.price ?? null
}

export const monthlyTotal = ({ unitAmount }: PriceRow, seats: number): bigint => unitAmount * BigInt(seats)
