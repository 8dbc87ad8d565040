import { and, desc, eq, gte, max, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { StoredGovernance } from '../contract/models.ts'
import { usageDaily } from '../schema.ts'
import { lifecycleOf, listCandidates, listSources, refsToSteps } from './catalog.ts'
import { readSettings } from './choose.ts'
import { customPriceOf } from './custom-prices.ts'
import { priceOf } from './prices.ts'
import { refOf, type ModelStep } from './reference.ts'

const recentDays = 30
const day = 24 * 60 * 60_000
const maxUsed = 100

export async function readGovernance(
  { db, config, now }: Pick<Call, 'db' | 'config' | 'now'>,
  organizationId: string,
): Promise<StoredGovernance> {
  const at = now()
  const { routing, prices } = await readSettings(db, organizationId, config.offlineHelps)
  const recentUsage = await listRecentUsage(db, organizationId, at)
  const configured = [...new Set([...routing.own, ...routing.platform].flatMap(({ models }) => models))]
  const used = recentUsage.flatMap(({ provider, model }) => (model === null ? [] : [{ provider, model }]))
  const shown = refsToSteps([...new Set([...configured, ...used.map(refOf)])])
  const [lifecycle, candidates, sources] = await Promise.all([
    lifecycleOf(db, shown, at),
    listCandidates(db, configured, at),
    listSources(db),
  ])
  const hasPrice = (step: ModelStep): boolean =>
    (customPriceOf(prices, { ...step, level: 'organization' }, at) ?? priceOf(step.provider, step.model, at)) !== null
  return {
    platformDefaults: [...routing.platform],
    overrides: [...routing.own],
    recentUsage,
    lifecycle: lifecycle.map((model) => ({ ...model, priced: hasPrice(model) })),
    unpricedModels: refsToSteps(configured).filter((step) => !hasPrice(step)),
    candidates,
    sources,
  }
}

function listRecentUsage(db: Database, organizationId: string, at: Date): Promise<StoredGovernance['recentUsage']> {
  const since = new Date(at.getTime() - recentDays * day).toISOString().slice(0, 10)
  const cost = sql<bigint>`sum(${usageDaily.costNanoUsd})::bigint`.mapWith(BigInt)
  return db
    .select({
      provider: usageDaily.provider,
      model: usageDaily.model,
      calls: sql<number>`sum(${usageDaily.count})`.mapWith(Number),
      costNanoUsd: cost,
      lastUsedOn: sql<string>`${max(usageDaily.day)}::text`,
    })
    .from(usageDaily)
    .where(and(eq(usageDaily.organizationId, organizationId), eq(usageDaily.family, 'ai'), gte(usageDaily.day, since)))
    .groupBy(usageDaily.provider, usageDaily.model)
    .orderBy(desc(cost), usageDaily.provider, usageDaily.model)
    .limit(maxUsed)
}
