import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Telemetry } from '#views/gateway/telemetry.tsx'
import { listProviderCircuits } from '../providers/circuits.operations.tsx'
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
    const [models, hours, circuits] = await Promise.all([
      call.ask(listProviderTelemetry, { limit: maxItems }),
      call.ask(listProviderTelemetry, { groupBy: ['hour'], limit: maxItems }),
      call.ask(listProviderCircuits, { limit: maxItems }),
    ])
    return { models: models.items, hours: hours.items, circuits: circuits.items }
  },
  view: (props) => <Telemetry {...props} />,
})
