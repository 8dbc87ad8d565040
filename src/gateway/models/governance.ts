import { and, desc, eq, gte, max, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { StoredCatalogModel, StoredGovernance, StoredModelDetails, StoredRoute } from '../contract/models.ts'
import { usageDaily } from '../schema.ts'
import { lifecycleOf, listCandidates, listSources, refsToSteps } from './catalog.ts'
import { readSettings } from './choose.ts'
import { customRowOf, toCatalogPrice, toPrice } from './custom-prices.ts'
import { priceOf } from './prices.ts'
import { refOf, type ModelStep } from './reference.ts'
import { effectiveRoutes, type Routing } from './routes.ts'
import type { ModelSettings } from './settings.ts'

const recentDays = 30
const day = 24 * 60 * 60_000
const maxUsed = 100

type Reading = Pick<Call<unknown, Actor>, 'db' | 'config' | 'now' | 'actor' | 'identity'>
type StoredUsedModel = StoredGovernance['lifecycle'][number]

export async function readGovernance(call: Reading, organizationId: string): Promise<StoredGovernance> {
  const { db, config, identity } = call
  const at = call.now()
  const { routing, prices } = await readSettings(db, organizationId, config.offlineHelps)
  const recentUsage = await listRecentUsage(db, organizationId, at)
  const configured = configuredIn(routing)
  const used = recentUsage.flatMap(({ provider, model }) => (model === null ? [] : [{ provider, model }]))
  const shown = refsToSteps([...new Set([...configured, ...used.map(refOf)])])
  const editors = [...routing.own, ...routing.platform].flatMap(({ updatedBy }) => updatedBy ?? [])
  const [lifecycle, candidates, sources, people, can] = await Promise.all([
    lifecycleOf(db, shown, at),
    listCandidates(db, configured, at),
    listSources(db),
    identity.people([...new Set(editors)]),
    permissionsOf(call),
  ])
  const named = (route: StoredRoute) => ({
    ...route,
    updatedByName: (route.updatedBy !== null && people.get(route.updatedBy)?.name) || null,
  })
  const models = lifecycle.map((model) => describeUsed({ model, configured, recentUsage, prices, at }))
  return {
    organizationId,
    platformDefaults: routing.platform.map(named),
    overrides: routing.own.map(named),
    recentUsage,
    lifecycle: models,
    unpricedModels: refsToSteps(configured).filter((step) =>
      models.some((model) => !model.priced && refOf(model) === refOf(step)),
    ),
    candidates,
    sources,
    can: { update: can.update, sync: can.sync },
  }
}

/** @throws {Problem} 404 for a model that no source lists and that isn't configured, used or priced */
export async function readModelDetails(
  call: Reading,
  organizationId: string,
  step: ModelStep,
): Promise<StoredModelDetails> {
  const { db, config } = call
  const at = call.now()
  const { routing, prices } = await readSettings(db, organizationId, config.offlineHelps)
  const [lifecycle, usage, can] = await Promise.all([
    lifecycleOf(db, [step], at),
    listUsageByApp(db, organizationId, step, at),
    permissionsOf(call),
  ])
  const [model] = lifecycle
  if (!model) throw new Error('The lifecycle of the model was not read')
  const recentUsage = usage.map(({ calls, costNanoUsd }) => ({ ...step, calls, costNanoUsd }))
  const ref = refOf(step)
  const used = describeUsed({ model, configured: configuredIn(routing), recentUsage, prices, at })
  if (used.source === 'none' && !used.configured && !used.priced && usage.length === 0) throw notFound('model')
  return {
    organizationId,
    model: used,
    usage,
    routes: effectiveRoutes(routing).filter(({ models }) => models.includes(ref)),
    can: { setPrice: can.update },
  }
}

const configuredIn = ({ own, platform }: Routing): string[] => [
  ...new Set([...own, ...platform].flatMap(({ models }) => models)),
]

async function permissionsOf({ actor, identity }: Reading) {
  const serviceId = await identity.serviceId('platform-gateway')
  return { update: isAllowed(actor, 'org:admin', serviceId), sync: isAllowed(actor, 'super-admin', serviceId) }
}

interface Using {
  model: StoredCatalogModel
  configured: readonly string[]
  recentUsage: readonly { provider: string; model: string | null; calls: number; costNanoUsd: bigint }[]
  prices: ModelSettings['prices']
  at: Date
}

function describeUsed({ model, configured, recentUsage, prices, at }: Using): StoredUsedModel {
  const used = recentUsage.filter((row) => row.provider === model.provider && row.model === model.model)
  const entered = customRowOf(prices, { ...model, level: 'organization' }, at)
  const listed = priceOf(model.provider, model.model, at)
  const catalog = listed ? toCatalogPrice(model.provider, model.model, listed) : null
  const price = entered ? toPrice(entered) : catalog
  return {
    ...model,
    priced: price !== null,
    price,
    configured: configured.includes(refOf(model)),
    calls: used.reduce((sum, { calls }) => sum + calls, 0),
    costNanoUsd: used.reduce((sum, { costNanoUsd }) => sum + costNanoUsd, 0n),
  }
}

const cost = sql<bigint>`sum(${usageDaily.costNanoUsd})::bigint`.mapWith(BigInt)
const calls = sql<number>`sum(${usageDaily.count})`.mapWith(Number)

const recently = (organizationId: string, at: Date): SQL | undefined => {
  const since = new Date(at.getTime() - recentDays * day).toISOString().slice(0, 10)
  return and(eq(usageDaily.organizationId, organizationId), eq(usageDaily.family, 'ai'), gte(usageDaily.day, since))
}

const listUsageByApp = (db: Database, organizationId: string, { provider, model }: ModelStep, at: Date) =>
  db
    .select({ applicationId: usageDaily.applicationId, calls, costNanoUsd: cost })
    .from(usageDaily)
    .where(and(recently(organizationId, at), eq(usageDaily.provider, provider), eq(usageDaily.model, model)))
    .groupBy(usageDaily.applicationId)
    .orderBy(desc(cost), usageDaily.applicationId)
    .limit(maxUsed)

const listRecentUsage = (db: Database, organizationId: string, at: Date): Promise<StoredGovernance['recentUsage']> =>
  db
    .select({
      provider: usageDaily.provider,
      model: usageDaily.model,
      calls,
      costNanoUsd: cost,
      lastUsedOn: sql<string>`${max(usageDaily.day)}::text`,
    })
    .from(usageDaily)
    .where(recently(organizationId, at))
    .groupBy(usageDaily.provider, usageDaily.model)
    .orderBy(desc(cost), usageDaily.provider, usageDaily.model)
    .limit(maxUsed)
