import { z } from 'zod'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { OverviewPage } from '#views/payments/overview/page.tsx'
import { DashboardQuery } from '../contract/dashboard.ts'
import { getPaymentsDashboard } from './overview.operations.tsx'

const { shape } = DashboardQuery

export const overviewPage = page({
  path: '/pay',
  permission: 'dashboard:read',
  query: z.object({
    from: ignoreInvalid(shape.from),
    to: ignoreInvalid(shape.to),
    currency: ignoreInvalid(shape.currency),
    merchantId: ignoreInvalid(shape.merchantId),
  }),
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
