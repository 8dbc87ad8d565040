import type { AccountQuota, ConnectionDetails } from '#social/types'
import { capitalize } from '#lib/text.ts'
import { Time } from '#views/ui/time.tsx'
import { networkNames, type Place } from '../posts/post-text.ts'

interface AccountQuotasProps {
  account: ConnectionDetails
  place: Place
}

/** From this share on, a limit is nearly used up. */
const nearPercent = 80

/** How many posts the network still takes from the account. */
export const AccountQuotas = ({ account, place }: AccountQuotasProps) => {
  const { provider, quotas, throttledUntil } = account
  const name = networkNames[provider]
  return (
    <section class="section" aria-labelledby="quotas">
      <h2 id="quotas">Limits</h2>
      {throttledUntil ? (
        <p role="status">
          <span safe>{name}</span> takes no posts from this account until <Time at={throttledUntil} zone={place.zone} />
          .
        </p>
      ) : null}
      <ul class="list quotas">
        {quotas.map((quota) => (
          <QuotaRow quota={quota} place={place} />
        ))}
      </ul>
      <p class="small muted">
        When a limit is used up, posts wait for it, up to an hour.
        {quotas.some(({ total }) => total === null) ? (
          <span safe>{` ${name} doesn’t publish how many posts it takes.`}</span>
        ) : null}
      </p>
    </section>
  )
}

export const QuotaRow = ({ quota, place }: { quota: AccountQuota; place: Place }) => {
  const { used, total, resetsAt, reportedAt } = quota
  const amount = amountText(quota)
  return (
    <li>
      <span class="grow">
        <span class="row">
          <span class="grow" safe>
            {quotaName(quota)}
          </span>
          {amount === null ? null : <span safe>{amount}</span>}
        </span>
        {used !== null && total !== null ? (
          <span
            class="meter"
            data-state={used >= total ? 'over' : used >= (total * nearPercent) / 100 ? 'near' : undefined}
            style={`--value: ${Math.min(100, (used * 100) / Math.max(total, 1))}%`}
            role="img"
            aria-label={`${quotaName(quota)}: ${amount}`}
          />
        ) : null}
        <small>
          {resetsAt ? (
            <>
              {quota.timeZone === null ? 'The oldest is counted until ' : 'Resets '}
              <Time at={resetsAt} zone={place.zone} />
            </>
          ) : used === 0 ? (
            'None yet'
          ) : null}
          {reportedAt && (resetsAt || used === 0) ? '. ' : null}
          {reportedAt ? (
            <>
              Reported <Time at={reportedAt} zone={place.zone} />
            </>
          ) : null}
        </small>
      </span>
    </li>
  )
}

function amountText({ used, total }: AccountQuota): string | null {
  const all = total?.toLocaleString('en')
  if (used === null) return all === undefined ? null : `${all} allowed`
  return all === undefined ? used.toLocaleString('en') : `${used.toLocaleString('en')} of ${all} used`
}

/** `Posts in 24 hours`, `Posts today, all your accounts of the app`. */
function quotaName({ counts, per, windowSeconds }: AccountQuota): string {
  const window = windowSeconds === null ? 'today' : `in ${duration(windowSeconds)}`
  return `${capitalize(counts)} ${window}${per === 'app' ? ', all your accounts of the app' : ''}`
}

const duration = (seconds: number): string => (seconds < 3_600 ? `${seconds / 60} minutes` : `${seconds / 3_600} hours`)
