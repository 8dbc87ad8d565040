import { z } from 'zod'
import { page } from '#lib/page.ts'
import { ModelPage, type ModelPageProps } from '#views/gateway/models/detail.tsx'
import { ModelsPage } from '#views/gateway/models/page.tsx'
import { ModelName, ProviderName } from '../contract/models.ts'
import { listProviderTelemetry } from '../usage/insight.operations.tsx'
import { getModelDetails, getModelGovernance, listModelPrices } from './models.operations.tsx'

export const modelsPage = page({
  path: '/gateway/models',
  permission: 'usage:read',
  screen: 'gateway-models',
  icon: 'boxes',
  title: 'Models',
  query: z.object({}),
  load: ({ ask }) => ask(getModelGovernance, {}),
  view: (governance) => <ModelsPage governance={governance} />,
})

/** Single calls are kept for about as long. */
const latencyDays = 30
const dayMs = 24 * 60 * 60 * 1000

export const modelPage = page({
  path: '/gateway/models/:provider/:model',
  permission: 'usage:read',
  screen: 'usage gateway-models',
  title: ({ details }: ModelPageProps) => details.model.model,
  query: z.object({ provider: ProviderName, model: ModelName }),
  load: async ({ ask, input, now }): Promise<ModelPageProps> => {
    const from = new Date(now().getTime() - (latencyDays - 1) * dayMs).toISOString().slice(0, 10)
    const [details, prices, telemetry] = await Promise.all([
      ask(getModelDetails, input),
      ask(listModelPrices, input),
      ask(listProviderTelemetry, { ...input, from, groupBy: ['day'], limit: latencyDays }),
    ])
    return { details, prices: prices.items, days: telemetry.items }
  },
  view: (props) => <ModelPage {...props} />,
})
