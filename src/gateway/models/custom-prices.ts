import { and, desc, eq, isNull, lte, or } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { z } from 'zod'
import { rateNames, RateName, type ModelPriceDraft, type StoredModelPrice } from '../contract/models.ts'
import { modelPrices } from '../schema.ts'
import { forgetSettings } from './settings.ts'
import type { Price } from './price.ts'
import { priceOf } from './prices.ts'

type Row = typeof modelPrices.$inferSelect

/** Prices of an organization and of the platform, the latest first. */
export const listCustomPrices = (db: Database, organizationId: string | null): Promise<Row[]> =>
  db
    .select()
    .from(modelPrices)
    .where(
      organizationId === null
        ? isNull(modelPrices.organizationId)
        : or(isNull(modelPrices.organizationId), eq(modelPrices.organizationId, organizationId)),
    )
    .orderBy(desc(modelPrices.since), desc(modelPrices.id))
    .limit(1_000)

const names = RateName.options

const toDollars = (rates: Row['rates']): Price['rates'] =>
  Object.fromEntries(
    names.flatMap((name) => (rates[name] === undefined ? [] : [[rateNames[name], Number(rates[name])]])),
  )

interface PricedModel {
  provider: string
  model: string
  level: 'organization' | 'platform'
}

/** The organization's own price counts where it pays the provider itself, with its own credential. */
export function customRowOf(rows: readonly Row[], { provider, model, level }: PricedModel, at: Date): Row | undefined {
  const day = at.toISOString().slice(0, 10)
  const valid = rows.filter((row) => row.provider === provider && row.model === model && row.since <= day)
  const own = level === 'organization' ? valid.find((row) => row.organizationId !== null) : undefined
  return own ?? valid.find((each) => each.organizationId === null)
}

export function customPriceOf(rows: readonly Row[], priced: PricedModel, at: Date): Price | null {
  const row = customRowOf(rows, priced, at)
  if (!row) return null
  const { provider, model } = priced
  const listed = priceOf(provider, model, at)
  return { model, since: row.since, contextWindow: listed?.contextWindow ?? null, rates: toDollars(row.rates) }
}

type Setting = Pick<Call, 'db' | 'now'> & { actor: { principal: { id: string } } }

/** A price of the same day is replaced: it was a mistake. */
export async function setCustomPrice(
  { db, actor, now }: Setting,
  organizationId: string | null,
  { provider, model, level, rates, since = now().toISOString().slice(0, 10), reason }: z.output<typeof ModelPriceDraft>,
): Promise<StoredModelPrice> {
  const values = { rates, reason: reason ?? null, createdBy: actor.principal.id, createdAt: now() }
  const { organizationId: owner, provider: byProvider, model: byModel, since: bySince } = modelPrices
  const [before] = await db
    .select({ rates: modelPrices.rates, since: bySince })
    .from(modelPrices)
    .where(
      and(
        organizationId === null ? isNull(owner) : eq(owner, organizationId),
        eq(byProvider, provider),
        eq(byModel, model),
        lte(bySince, since),
      ),
    )
    .orderBy(desc(bySince))
    .limit(1)
  const [row] = await db
    .insert(modelPrices)
    .values({ id: newId(), organizationId, provider, model, since, ...values })
    .onConflictDoUpdate({ target: [owner, byProvider, byModel, bySince], set: values })
    .returning()
  if (!row) throw new Error('The price was not written')
  recordChange(db, { object: 'model_price', id: row.id, before, after: { provider, model, rates, since } })
  forgetSettings()
  return { ...toPrice(row), level }
}

export const toPrice = (row: Row): StoredModelPrice => ({
  provider: row.provider,
  model: row.model,
  level: row.organizationId === null ? 'platform' : 'organization',
  rates: row.rates,
  since: row.since,
  reason: row.reason,
  createdAt: row.createdAt,
})

/** Of the catalog. Tiers of long inputs are left out. */
export const toCatalogPrice = (provider: string, model: string, price: Price): StoredModelPrice => ({
  provider,
  model,
  level: 'catalog',
  rates: Object.fromEntries(
    names.flatMap((name) => {
      const rate = price.rates[rateNames[name]]
      return rate === undefined ? [] : [[name, String(typeof rate === 'number' ? rate : rate.base)]]
    }),
  ),
  since: price.since,
  reason: null,
  createdAt: null,
})
