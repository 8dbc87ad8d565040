import type { UsageVerification } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { amount, dollars } from './money.ts'
import { reportAddress, type ReportQuery } from './usage-report.tsx'
import { dayText } from './words.ts'

interface VerificationProps {
  verification: UsageVerification
  query: ReportQuery
}

/** Whether single requests, daily totals and budget counters agree. */
export const VerificationCard = ({ verification, query }: VerificationProps) => {
  const { agrees, raw, daily, budgets, differences, rows, from, to } = verification
  const isOff = raw.costNanoUsd !== daily.costNanoUsd
  return (
    <section class="card" id="verification" aria-labelledby="verification-title">
      <header>
        <h2 id="verification-title">Totals</h2>
        {agrees ? (
          <Badge label="Verified" tone="success" icon="shield-check" />
        ) : (
          <Badge
            label={differences.length === 1 ? '1 difference' : `${amount(differences.length)} differences`}
            tone="danger"
            icon="circle-alert"
          />
        )}
        <Button
          label="Verify again"
          icon="rotate-cw"
          size="sm"
          hx-get={reportAddress('/api/usage/verify', { from: query.from, to: query.to })}
          hx-target="#verification"
          hx-swap="outerMorph"
        />
      </header>
      <div class="body row" data-wrap>
        <ol class="proof grow">
          <li>
            <span class="muted">Requests</span> <b safe>{dollars(raw.costNanoUsd)}</b>
          </li>
          <li data-off={isOff ? 'true' : undefined}>
            <span class="muted">Daily totals</span> <b safe>{dollars(daily.costNanoUsd)}</b>
          </li>
        </ol>
        <small class="muted" safe>
          {`${amount(rows)} requests from ${dayText(from)} to ${dayText(to)}, ${amount(budgets.count)} budget periods`}
        </small>
      </div>
    </section>
  )
}
