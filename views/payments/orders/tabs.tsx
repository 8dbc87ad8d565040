import type { OrderCounts, OrderStatus } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { countText } from '../count.ts'
import { ordersHref, ordersTopic, type OrdersFilter } from './filters.tsx'
import { orderStates } from './words.ts'

/** Also without an order; the others appear with their first one. */
const usual: readonly OrderStatus[] = ['paid', 'requires_action', 'refunded', 'disputed', 'failed']

const order: readonly OrderStatus[] = [
  ...(['paid', 'requires_action', 'pending', 'partially_refunded', 'refunded'] as const),
  ...(['disputed', 'lost', 'failed', 'cancelled', 'expired'] as const),
]

const urgent: readonly OrderStatus[] = ['disputed', 'failed']

interface OrderTabsProps {
  counts: OrderCounts
  filter: OrdersFilter
  organizationId: string | undefined
}

export const OrderTabs = ({ counts, filter, organizationId }: OrderTabsProps) => (
  <nav
    class="tabs"
    id="order-tabs"
    aria-label="Status"
    {...liveAt(listHref('/api/orders/counts', filter), ordersTopic(organizationId))}
  >
    <a href={ordersHref(filter, { status: undefined })} aria-current={filter.status ? undefined : 'page'}>
      All
      <Badge label={countText(counts.all)} count />
    </a>
    {order
      .filter((status) => usual.includes(status) || filter.status === status || counts.byStatus[status])
      .map((status) => (
        <a href={ordersHref(filter, { status })} aria-current={filter.status === status ? 'page' : undefined}>
          <span safe>{orderStates[status].word}</span>
          <Badge
            label={countText(counts.byStatus[status] ?? 0)}
            tone={urgent.includes(status) && counts.byStatus[status] ? 'danger' : undefined}
            count
          />
        </a>
      ))}
  </nav>
)
