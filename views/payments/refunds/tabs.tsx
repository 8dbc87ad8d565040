import type { RefundCounts, RefundStatus } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { countText } from '../count.ts'
import { ordersTopic } from '../orders/filters.tsx'
import { refundStates } from '../orders/words.ts'
import { refundsHref, type RefundsFilter } from './filters.tsx'

const order: readonly RefundStatus[] = ['needs_approval', 'pending', 'succeeded', 'unknown', 'failed', 'cancelled']

interface RefundTabsProps {
  counts: RefundCounts
  filter: RefundsFilter
  organizationId: string | undefined
}

export const RefundTabs = ({ counts, filter, organizationId }: RefundTabsProps) => (
  <nav
    class="tabs"
    id="refund-tabs"
    aria-label="Status"
    {...liveAt(listHref('/api/refunds/counts', filter), ordersTopic(organizationId))}
  >
    <a href={refundsHref(filter, { status: undefined })} aria-current={filter.status ? undefined : 'page'}>
      All
      <Badge label={countText(counts.all)} count />
    </a>
    {order.map((status) => (
      <a href={refundsHref(filter, { status })} aria-current={filter.status === status ? 'page' : undefined}>
        <span safe>{refundStates[status].word}</span>
        <Badge label={countText(counts.byStatus[status] ?? 0)} tone={toneOf(status, counts)} count />
      </a>
    ))}
  </nav>
)

function toneOf(status: RefundStatus, { byStatus }: RefundCounts) {
  if (!byStatus[status]) return undefined
  if (status === 'failed') return 'danger'
  return status === 'needs_approval' || status === 'unknown' ? 'warning' : undefined
}
