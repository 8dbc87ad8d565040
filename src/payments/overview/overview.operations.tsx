import { isAllowed } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { Dashboard } from '#views/payments/overview/dashboard.tsx'
import { DashboardQuery, PaymentsDashboard } from '../contract/dashboard.ts'
import { readDashboard } from './dashboard.ts'

export const getPaymentsDashboard = operation({
  route: 'GET /api/pay/dashboard',
  summary: 'Get takings, balances and what needs attention',
  permission: 'dashboard:read',
  input: DashboardQuery,
  output: PaymentsDashboard,
  run: async (call) => {
    const [dashboard, serviceId] = await Promise.all([
      readDashboard(call, call.input),
      call.identity.serviceId('platform-pay'),
    ])
    return { ...dashboard, can: { create: isAllowed(call.actor, 'payments:create', serviceId) } }
  },
  view: (dashboard, { input, actor }) => (
    <Dashboard dashboard={dashboard} query={input} organizationId={actor.organization?.id} />
  ),
})
