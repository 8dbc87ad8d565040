import { findProvider } from '@pydantic/genai-prices'
import type { StoredRoute } from '../contract/models.ts'
import { priceOf } from './prices.ts'
import type { Routing } from './routes.ts'

/** General-purpose providers sell image models too (GTW-17). */
const imageProviders = ['openai', 'google', 'x-ai']

/** Their names are the only thing that the catalog says about what they make. */
const isImageModel = (model: string): boolean => /(^|-)(image|imagine|imagen|dall-e)(-|$|\d)/.test(model)

/** Models that an organization can name for an image: those of the catalog with a price, and its own routes. */
export function imageModelsOf(
  { allowed }: Pick<Routing, 'allowed'>,
  routes: readonly StoredRoute[],
  offlineHelps: boolean,
  at: Date,
): string[] {
  const listed = imageProviders.flatMap((provider) =>
    (findProvider({ providerId: provider })?.models ?? [])
      .filter(({ id }) => isImageModel(id) && priceOf(provider, id, at) !== null)
      .map(({ id }) => `${provider}/${id}`),
  )
  const routed = routes.filter(({ useCase }) => useCase === 'image').flatMap(({ models }) => models)
  const practice = offlineHelps ? ['practice/practice-image'] : []
  const all = [...new Set([...routed, ...practice, ...listed])]
  return allowed ? all.filter((model) => allowed.includes(model)) : all
}
