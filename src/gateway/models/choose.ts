import { Problem } from '#lib/errors.ts'
import type { Database } from '#lib/db.ts'
import { useCases, type UseCase } from '../contract/models.ts'
import { customPriceOf, listCustomPrices } from './custom-prices.ts'
import { practicePrices } from './practice-prices.ts'
import type { Price } from './price.ts'
import { priceOf } from './prices.ts'
import { parseRef, refOf, type ModelStep } from './reference.ts'
import { effectiveRoutes, readRouting } from './routes.ts'
import { cachedSettings, type ModelSettings } from './settings.ts'

export interface ModelRequest {
  readonly organizationId: string
  /** Use cases of the requested route, such as both of text. */
  readonly kinds: readonly UseCase[]
  /** `openai/gpt-4o`, `gpt-4o`, or a use case for its whole chain. */
  readonly requested: string
  /** Providers with a credential, those of the organization first. */
  readonly providers: readonly string[]
  /** In development and tests: the practice provider needs no credential. */
  readonly offlineHelps: boolean
  readonly at: Date
}

export const readSettings = (db: Database, organizationId: string, offlineHelps: boolean): Promise<ModelSettings> =>
  cachedSettings(db, organizationId, async () => {
    const [routing, prices] = await Promise.all([
      readRouting(db, organizationId, offlineHelps),
      listCustomPrices(db, organizationId),
    ])
    return { routing, prices }
  })

/**
 * The requested model, then those that follow it in the chain of its use case. @throws {Problem} 404 `model_not_found`,
 * 403 `model_not_allowed`
 */
export async function chooseModels(db: Database, request: ModelRequest): Promise<ModelStep[]> {
  const { routing } = await readSettings(db, request.organizationId, request.offlineHelps)
  const chains = effectiveRoutes(routing).filter(({ useCase }) => request.kinds.includes(useCase))
  const steps = stepsFor(request, chains)
  const allowed = routing.allowed && new Set(routing.allowed)
  const usable = steps.filter((step) => !allowed || allowed.has(refOf(step)))
  const [first] = steps
  if (!first) throw modelNotFound(request.requested)
  if (usable.length === 0 || (!isUseCase(request.requested) && !usable.includes(first)))
    throw new Problem(
      403,
      'model_not_allowed',
      `Your organization doesn’t allow ${refOf(first)}. Choose one of its allowed models, or ask an admin to allow it.`,
    )
  return usable
}

type Chain = { readonly useCase: UseCase; readonly models: readonly string[] }

function stepsFor(request: ModelRequest, chains: readonly Chain[]): ModelStep[] {
  if (isUseCase(request.requested)) {
    const chain = chains.find(({ useCase }) => useCase === request.requested)
    return (chain?.models ?? []).map(parseRef)
  }
  const first = findModel(request, chains)
  if (!first) return []
  const following = chains.map(({ models }) => modelsAfter(models, refOf(first)))
  const longest = following.toSorted((one, other) => other.length - one.length)[0] ?? []
  return [first, ...longest.map(parseRef)]
}

const modelsAfter = (models: readonly string[], ref: string): readonly string[] =>
  models.includes(ref) ? models.slice(models.indexOf(ref) + 1) : []

const isUseCase = (name: string): name is UseCase => useCases.some((useCase) => useCase === name)

function findModel(
  { requested, providers, offlineHelps, at }: ModelRequest,
  chains: readonly Chain[],
): ModelStep | null {
  const known = offlineHelps ? [...providers, 'practice'] : providers
  const named = parseRef(requested)
  if (requested.includes('/') && known.includes(named.provider)) return named
  const inChains = chains.flatMap(({ models }) => models.map(parseRef)).find(({ model }) => model === requested)
  if (inChains) return inChains
  if (offlineHelps && practicePrices.has(requested)) return { provider: 'practice', model: requested }
  const provider = providers.find((each) => priceOf(each, requested, at) !== null) ?? onlyOne(providers)
  return provider === undefined ? null : { provider, model: requested }
}

/** With a single provider, a name that no catalog has can only be meant for it. */
const onlyOne = (providers: readonly string[]): string | undefined =>
  providers.length === 1 ? providers[0] : undefined

const modelNotFound = (requested: string) =>
  new Problem(
    404,
    'model_not_found',
    `No provider with a credential has the model ${requested}. List models with GET /api/ai/models, or name one as provider/model.`,
  )

/** What a call costs its payer: a price that people entered, else the catalog's. Null: no price, which isn't free. */
export async function effectivePrice(
  db: Database,
  {
    organizationId,
    offlineHelps,
    ...step
  }: ModelStep & {
    organizationId: string
    level: 'organization' | 'platform'
    offlineHelps: boolean
  },
  at: Date,
): Promise<Price | null> {
  const { prices } = await readSettings(db, organizationId, offlineHelps)
  return customPriceOf(prices, step, at) ?? priceOf(step.provider, step.model, at)
}
