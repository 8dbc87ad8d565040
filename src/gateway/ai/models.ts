import { inArray } from 'drizzle-orm'
import { notFound } from '#lib/errors.ts'
import { catalogModels } from '../schema.ts'
import { usableCredentials } from '../credentials/resolve.ts'
import { readSettings } from '../models/choose.ts'
import { practicePrices } from '../models/practice-prices.ts'
import { effectiveRoutes } from '../models/routes.ts'
import { practiceProvider } from '../providers/known.ts'
import { attributionOf } from './attribution.ts'
import type { AiCall } from './types.ts'

interface ListedModel {
  [field: string]: unknown
  id: string
  object: 'model'
  created: number
  owned_by: string
}

/** Models of the organization’s chains and those of the catalog that one of its credentials pays for. */
export async function listModels(call: AiCall): Promise<ListedModel[]> {
  const { db, config } = call
  const attribution = await attributionOf(call)
  const credentials = await usableCredentials(call, attribution)
  const { routing } = await readSettings(db, attribution.organizationId, config.offlineHelps)
  const providers = [...credentials.keys()]
  const listed = await db
    .select({ provider: catalogModels.provider, model: catalogModels.model, seenAt: catalogModels.firstSeenAt })
    .from(catalogModels)
    .where(inArray(catalogModels.provider, providers))
  const found = new Map<string, ListedModel>()
  const add = (ref: string, seenAt = new Date(0)) => {
    const owner = ref.slice(0, ref.indexOf('/'))
    if (credentials.has(owner))
      found.set(ref, { id: ref, object: 'model', created: Math.floor(seenAt.getTime() / 1000), owned_by: owner })
  }
  for (const { models } of effectiveRoutes(routing)) for (const ref of models) add(ref)
  for (const model of practicePrices.keys()) add(`${practiceProvider}/${model}`)
  for (const { provider, model, seenAt } of listed) add(`${provider}/${model}`, seenAt)
  const allowed = routing.allowed && new Set(routing.allowed)
  return [...found.values()].filter(({ id }) => !allowed || allowed.has(id)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** By `provider/model` or the model’s own name. @throws {Problem} 404 */
export async function getModel(call: AiCall, name: string): Promise<ListedModel> {
  const models = await listModels(call)
  const found = models.find(({ id }) => id === name) ?? models.find(({ id }) => id.slice(id.indexOf('/') + 1) === name)
  if (found) return found
  throw notFound('model')
}
