import type { Context } from '#lib/context.ts'
import { foldModules } from '#lib/module.ts'
import { seatsModule } from './billing/index.ts'
import { checkoutModule } from './checkout/index.ts'

/** What visitors use, and payments’ news of subscriptions: a service of its own beside the dashboard. */
export const website: Context = {
  slug: 'platform-dashboard-website',
  group: 'website',
  host: 'DASHBOARD_HOST',
  webhooks: [],
  ...foldModules([checkoutModule, seatsModule]),
}
