import { page } from '#lib/page.ts'
import { OverviewPage } from '#views/payments/overview/page.tsx'
import { DashboardQuery } from '../contract/dashboard.ts'
import { getPaymentsDashboard } from './overview.operations.tsx'

export const overviewPage = page({
  path: '/pay',
  permission: 'dashboard:read',
  query: DashboardQuery,
  screen: 'usage payments',
  icon: 'chart-line',
  title: 'Overview',
  keywords: 'payments takings revenue balance',
  load: async ({ ask, input, actor }) => ({
    dashboard: await ask(getPaymentsDashboard, input),
    query: input,
    organizationId: actor.organization?.id,
  }),
  view: (props) => <OverviewPage {...props} />,
})
