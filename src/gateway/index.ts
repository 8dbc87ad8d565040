import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { accessModule } from './access/index.ts'
import { aiModule } from './ai/index.ts'
import { budgetsModule } from './budgets/index.ts'
import { credentialsModule } from './credentials/index.ts'
import * as contract from './contract.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'
import { budgetEvents } from './budgets/events.ts'
import { modelsModule } from './models/index.ts'
import { overviewModule } from './overview/index.ts'
import { search } from './search.ts'
import { shell } from './shell.tsx'
import { startGateway } from './start.ts'
import { gatewayData } from './tenant-data.ts'
import { usageModule } from './usage/index.ts'

export { practiceModels } from './practice-models/index.ts'
export { openGateway } from './open.ts'
export { createUsageMonitor, type MonitoredRequest, type UsageMonitor } from './usage/monitor.ts'
export { createUpstreams } from './providers/upstreams.ts'

export const gateway: Context = {
  slug: 'platform-gateway',
  group: 'gateway',
  home: '/gateway',
  host: 'GATEWAY_HOST',
  webhooks: [],
  ...foldModules([
    overviewModule, // The palette lists pages in this order.
    budgetsModule,
    usageModule,
    modelsModule,
    credentialsModule,
    aiModule,
    accessModule,
    {
      contracts: [contract],
      jobs: [deleteExpired],
      schedules: [
        { cron: '0 37 * * * *', job: deleteExpired },
        { cron: '0 8,38 * * * *', job: eraseOrganizations },
      ],
    },
  ]),
  refusedCallers: ['platform-p2p'],
  erasureJob: eraseOrganizations,
  start: startGateway,
  shell,
  search,
  events: budgetEvents,
  data: gatewayData,
  seed: { content: async (owner, now) => (await import('./seed.ts')).seedGateway(owner, now) },
}
