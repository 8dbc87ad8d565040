import { and, eq, gte, isNotNull } from 'drizzle-orm'
import { isAllowed } from '#lib/authorize.ts'
import { matchesQuery, searchResult, searchSource, type SearchCall, type SearchResult } from '#lib/search.ts'
import { listLimits } from './budgets/limits.ts'
import { nameApps } from './names.ts'
import { usageDaily } from './schema.ts'
import { dayAfter, dayOf } from './usage/partitions.ts'

const maxResults = { models: 4, limits: 3 }
/** In which a model was used. */
const recentDays = 30
const maxLimits = 100

export const search = searchSource({
  kinds: {
    model: { title: 'Models', icon: 'boxes' },
    limit: { title: 'Limits', icon: 'piggy-bank' },
  },
  find: async (call, words) => {
    const { actor, identity } = call
    const gatewayId = await identity.serviceId('platform-gateway')
    if (actor.organization === null || !isAllowed(actor, 'usage:read', gatewayId)) return []
    const [models, limits] = await Promise.all([findModels(call, words), findLimits(call, words)])
    return [...models, ...limits]
  },
})

async function findModels({ db, actor, now }: SearchCall, words: string): Promise<SearchResult<'model'>[]> {
  const rows = await db
    .selectDistinct({ model: usageDaily.model, provider: usageDaily.provider })
    .from(usageDaily)
    .where(
      and(
        eq(usageDaily.organizationId, actor.organization?.id ?? ''),
        gte(usageDaily.day, dayAfter(dayOf(now()), -recentDays)),
        eq(usageDaily.family, 'ai'),
        isNotNull(usageDaily.model),
      ),
    )
    .orderBy(usageDaily.model)
  return rows
    .flatMap(({ model, provider }) =>
      model !== null && matchesQuery(words, `${model} ${provider}`) ? [{ model, provider }] : [],
    )
    .slice(0, maxResults.models)
    .map(({ model, provider }) => ({
      ...searchResult('model', model, `/gateway/models/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`),
      detail: provider,
    }))
}

async function findLimits(call: SearchCall, words: string): Promise<SearchResult<'limit'>[]> {
  const { items } = await listLimits(call.db, call.actor, { limit: maxLimits })
  const names = items.some(({ scopeType }) => scopeType === 'application') ? await nameApps(call) : null
  return items
    .map(({ id, scopeType, scopeValue, family, period }) => ({
      ...searchResult('limit', limitName(scopeType, names?.get(scopeValue) ?? scopeValue), '/gateway/limits'),
      id,
      detail: [family, period].filter(Boolean).join(', '),
    }))
    .filter(({ label, detail }) => matchesQuery(words, `${label} ${detail}`))
    .slice(0, maxResults.limits)
}

const limitName = (type: string, name: string): string =>
  type === 'application' ? `Limit of ${name}` : `Limit of the ${type}`
