import { z } from 'zod'
import { page } from '#lib/page.ts'
import { ModelPage, type ModelPageProps } from '#views/gateway/models/detail.tsx'
import { ModelsPage } from '#views/gateway/models/page.tsx'
import { ModelName, ProviderName } from '../contract/models.ts'
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

export const modelPage = page({
  path: '/gateway/models/:provider/:model',
  permission: 'usage:read',
  screen: 'gateway-models',
  title: ({ details }: ModelPageProps) => details.model.model,
  query: z.object({ provider: ProviderName, model: ModelName }),
  load: async ({ ask, input }): Promise<ModelPageProps> => {
    const [details, { items }] = await Promise.all([ask(getModelDetails, input), ask(listModelPrices, input)])
    return { details, prices: items }
  },
  view: (props) => <ModelPage {...props} />,
})
