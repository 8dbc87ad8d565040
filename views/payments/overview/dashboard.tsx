import type { PaymentsDashboard } from '#payments/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { addressOf, liveAt } from '#views/ui/live.ts'
import { ordersPath, ordersTopic } from '../orders/filters.tsx'
import { Attention } from './attention.tsx'
import { Methods, RefundReasons } from './breakdown.tsx'
import { Stats, Takings } from './stats.tsx'
import { Payouts } from './payouts.tsx'
import { Balances, Recent } from './tables.tsx'

interface DashboardRange {
  from?: string
  to?: string
  currency?: string
  merchantId?: string
}

export interface DashboardProps {
  dashboard: PaymentsDashboard
  query: DashboardRange
  organizationId: string | undefined
}

interface OfDashboard {
  dashboard: PaymentsDashboard
}

export const Dashboard = ({ dashboard, query, organizationId }: DashboardProps) => (
  <div
    id="dashboard"
    class="stack"
    {...liveAt(addressOf('/api/pay/dashboard', { ...query }), ordersTopic(organizationId))}
  >
    {dashboard.recent.length === 0 && !query.merchantId ? (
      <FirstSale dashboard={dashboard} />
    ) : (
      <>
        <Stats dashboard={dashboard} />
        <div class="split">
          <Takings dashboard={dashboard} />
          <Attention dashboard={dashboard} />
        </div>
        <div class="pairs">
          <Balances dashboard={dashboard} />
          <Recent dashboard={dashboard} />
          <Payouts dashboard={dashboard} />
          <Methods dashboard={dashboard} />
          <RefundReasons dashboard={dashboard} />
        </div>
        <p class="small muted">Days are in UTC.</p>
      </>
    )}
  </div>
)

const FirstSale = ({ dashboard: { can } }: OfDashboard) => (
  <Empty
    icon="wallet"
    title="Nothing sold yet"
    text="Create your first order. Takings, refunds, fees and balances appear here as soon as it is paid."
  >
    {can.create ? (
      <ButtonLink label="New order" icon="plus" variant="primary" href={`${ordersPath}#new-order`} />
    ) : null}
  </Empty>
)
