import type { ReportCheck } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { Badge } from '#views/ui/marks.tsx'

interface Checked {
  merchantId?: string
  from: string
  to: string
}

/** Checks after the page was shown, since that reads every entry of the range. */
export const PendingCheck = (range: Checked) => (
  <span
    class="badge"
    id="report-check"
    hx-get={listHref('/api/reports/check', range)}
    hx-trigger="load"
    hx-target="this"
    hx-swap="outerHTML"
  >
    Checking…
  </span>
)

export const CheckBadge = ({ check: { matches, differences } }: { check: ReportCheck }) => (
  <span id="report-check" role="status">
    {matches ? (
      <Badge label="Matches the ledger" tone="success" icon="shield-check" />
    ) : (
      <Badge label={`Differs from the ledger on ${differences[0]?.day ?? ''}`} tone="danger" icon="circle-alert" />
    )}
  </span>
)
