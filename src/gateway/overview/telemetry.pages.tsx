import { z } from 'zod'
import { page } from '#lib/page.ts'
import { Telemetry } from '#views/gateway/telemetry.tsx'
import { listProviderCircuits } from '../providers/circuits.operations.tsx'
import { listProviderFailures, listProviderTelemetry } from '../usage/insight.operations.tsx'

const maxItems = 100
const maxFailures = 10

export const telemetryPage = page({
  path: '/gateway/telemetry',
  permission: 'usage:read',
  query: z.object({}),
  title: 'Telemetry',
  icon: 'radio',
  screen: 'usage',
  load: async (call) => {
    const [days, models, hours, circuits, failures] = await Promise.all([
      call.ask(listProviderTelemetry, { groupBy: ['day'], limit: 2 }),
      call.ask(listProviderTelemetry, { limit: maxItems }),
      call.ask(listProviderTelemetry, { groupBy: ['hour'], limit: maxItems }),
      call.ask(listProviderCircuits, { limit: maxItems }),
      call.ask(listProviderFailures, { limit: maxFailures }),
    ])
    return {
      today: call.now().toISOString().slice(0, 10),
      days: days.items,
      models: models.items,
      hours: hours.items,
      circuits: circuits.items,
      failures: failures.items,
    }
  },
  view: (props) => <Telemetry {...props} />,
})
