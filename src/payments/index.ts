import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import * as contract from './contract.ts'
import { deleteExpired, eraseOrganizations } from './jobs.ts'
import { ordersModule } from './orders/index.ts'
import * as serviceIdentity from './service.operations.ts'
import { settlementsModule } from './settlements/index.ts'
import { shell } from './shell.tsx'
import { paymentsData } from './tenant-data.ts'
import { webhooksModule } from './webhooks/index.ts'

export const payments: Context = {
  slug: 'platform-pay',
  group: 'payments',
  home: '/pay/orders',
  host: 'PAY_HOST',
  defaultPaths: ['/api/service-identity'],
  webhooks: [],
  ...foldModules([
    ordersModule, // The palette lists pages in this order.
    settlementsModule,
    webhooksModule,
    {
      operations: [serviceIdentity],
      contracts: [contract],
      jobs: [deleteExpired],
      schedules: [
        { cron: '0 47 * * * *', job: deleteExpired },
        { cron: '0 18,48 * * * *', job: eraseOrganizations },
      ],
    },
  ]),
  erasureJob: eraseOrganizations,
  shell,
  data: paymentsData,
}
