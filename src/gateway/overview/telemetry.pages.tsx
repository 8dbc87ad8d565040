import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Telemetry } from '#views/gateway/telemetry.tsx'
import { listProviderTelemetry } from '../usage/insight.operations.tsx'

const maxItems = 100

export const telemetryPage = page({
  path: '/gateway/telemetry',
  permission: 'usage:read',
  query: z.object({}),
  title: 'Telemetry',
  icon: 'radio',
  screen: 'usage',
  load: async (call) => {
    const [models, hours] = await Promise.all([
      call.ask(listProviderTelemetry, { limit: maxItems }),
      call.ask(listProviderTelemetry, { groupBy: ['hour'], limit: maxItems }),
    ])
    return { models: models.items, hours: hours.items }
  },
  view: (props) => <Telemetry {...props} />,
})
