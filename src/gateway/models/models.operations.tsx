import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { forbidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { ModelPrices, ModelState } from '#views/gateway/models/detail.tsx'
import { Models } from '#views/gateway/models/models.tsx'
import {
  CatalogModel,
  Governance,
  LifecycleEdit,
  ModelDefaultsEdit,
  ModelDetails,
  ModelName,
  ModelPreferences,
  ModelPreferencesEdit,
  ModelPrice,
  ModelPriceDraft,
  ModelPriceList,
  ModelSource,
  ProviderName,
  Route,
} from '../contract/models.ts'
import { raiseModelActions } from './actions.ts'
import { listSources, setLifecycle } from './catalog.ts'
import { listCustomPrices, setCustomPrice, toCatalogPrice, toPrice } from './custom-prices.ts'
import { readGovernance, readModelDetails } from './governance.ts'
import { getPreferences, requireOwnOrganization, savePreferences } from './preferences.ts'
import { priceOf } from './prices.ts'
import { readRouting, saveRoutes } from './routes.ts'
import { forgetSettings } from './settings.ts'
import { listProviderSources } from './sources.ts'
import { syncSources } from './sync.ts'

export const getModelGovernance = operation({
  route: 'GET /api/models/governance',
  summary: 'Get the state of models, prices and sources',
  permission: 'usage:read',
  machine: true,
  input: z.object({}),
  output: Governance,
  run: (call) => readGovernance(call, organizationOf(call.actor, 'usage:read')),
  view: (governance) => <Models governance={governance} />,
})

/** What changed is shown with all models. */
const viewAll = {
  view: async (_: unknown, { ask }: Pick<Call, 'ask'>) => <Models governance={await ask(getModelGovernance, {})} />,
} as const

export const getModelDetails = operation({
  route: 'GET /api/models/details',
  summary: 'Get the state and usage of a model',
  permission: 'usage:read',
  input: z.object({ provider: ProviderName, model: ModelName }),
  output: ModelDetails,
  problems: { not_found: 404 },
  run: (call) => readModelDetails(call, organizationOf(call.actor, 'usage:read'), call.input),
  view: (details) => <ModelState details={details} />,
})

export const getModelPreferences = operation({
  route: 'GET /api/organizations/:id/model-preferences',
  summary: 'Get an organization’s model preferences',
  permission: 'usage:read',
  services: true,
  machine: true,
  input: z.object({ id: Id }),
  output: ModelPreferences,
  run: (call) => {
    requireOwnOrganization(call, call.input.id)
    return getPreferences(call, call.input.id)
  },
})

export const updateModelPreferences = operation({
  route: 'PUT /api/organizations/:id/model-preferences',
  summary: 'Update an organization’s model preferences',
  permission: 'org:admin',
  input: ModelPreferencesEdit,
  output: ModelPreferences,
  example: { routes: { image: ['openai/gpt-image-1'] } },
  run: async (call) => {
    requireOwnOrganization(call, call.input.id)
    const saved = await savePreferences(call, call.input)
    return reply(200, saved, { next: '/gateway/models', toast: 'Models saved' })
  },
  ...viewAll,
})

export const updateModelDefaults = operation({
  route: 'PUT /api/models/defaults',
  summary: 'Update the platform’s default models',
  permission: 'super-admin',
  input: ModelDefaultsEdit,
  output: z.object({ routes: z.array(Route) }),
  example: { routes: { image: ['openai/gpt-image-1'] } },
  run: async (call) => {
    await saveRoutes(call, null, call.input.routes)
    forgetSettings()
    const { platform } = await readRouting(call.db, null, call.config.offlineHelps)
    return { routes: [...platform] }
  },
})

export const syncModelSources = operation({
  route: 'POST /api/models/sync',
  summary: 'Update models from their sources',
  permission: 'super-admin',
  input: z.object({}),
  output: z.object({ sources: z.array(ModelSource) }),
  transaction: false,
  timeout: 60_000,
  run: async (call) => {
    const { db, config, now } = call
    await syncSources(db, await listProviderSources(call, db, now()), now())
    await raiseModelActions(db, config, now())
    return reply(200, { sources: await listSources(db) }, { next: '/gateway/models', toast: 'Models updated' })
  },
  ...viewAll,
})

export const listModelPrices = operation({
  route: 'GET /api/models/prices',
  summary: 'List the prices of a model',
  permission: 'usage:read',
  input: z.object({ provider: ProviderName, model: ModelName }),
  output: ModelPriceList,
  view: ({ items }) => <ModelPrices prices={items} />,
  run: async ({ db, actor, input: { provider, model }, now }) => {
    const entered = await listCustomPrices(db, organizationOf(actor, 'usage:read'))
    const listed = priceOf(provider, model, now())
    return {
      items: [
        ...entered.filter((row) => row.provider === provider && row.model === model).map(toPrice),
        ...(listed ? [toCatalogPrice(provider, model, listed)] : []),
      ],
    }
  },
})

export const setModelPrice = operation({
  route: 'PUT /api/models/prices',
  summary: 'Set the price of a model',
  permission: 'org:admin',
  input: ModelPriceDraft,
  output: ModelPrice,
  example: { provider: 'our-models', model: 'writer-1', rates: { inputPerMillion: '0.50', outputPerMillion: '1.50' } },
  run: async (call) => {
    const { level } = call.input
    if (level === 'platform' && !call.actor.isSuperAdmin) throw forbidden('super-admin')
    const owner = level === 'platform' ? null : organizationOf(call.actor, 'org:admin')
    const { provider, model } = call.input
    const next = `/gateway/models/${provider}/${encodeURIComponent(model)}`
    return reply(200, await setCustomPrice(call, owner, call.input), { next, toast: 'Price saved' })
  },
  view: async ({ provider, model }, { ask }) => (
    <ModelPrices prices={(await ask(listModelPrices, { provider, model })).items} />
  ),
})

export const setModelLifecycle = operation({
  route: 'PUT /api/models/lifecycle',
  summary: 'Set the lifecycle of a model',
  permission: 'super-admin',
  input: LifecycleEdit,
  output: CatalogModel,
  example: { provider: 'openai', model: 'gpt-4o', status: 'deprecated', retiresOn: '2027-01-15' },
  run: (call) => setLifecycle(call, call.input),
})
