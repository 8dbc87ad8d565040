import type { VideoQuota, VideoQuotaBucket } from '#gateway/types'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { amount } from '../money.ts'
import { LimitMeter } from './meter.tsx'

const names: Record<VideoQuotaBucket['bucket'], string> = {
  'videos.insert': 'Uploads',
  'search.list': 'Searches',
  'videos.batchGetStats': 'Statistics',
  other: 'Everything else',
}

/** Units, not money: Google’s daily quotas. */
export const VideoQuotaCard = ({ quota: { buckets } }: { quota: VideoQuota }) => (
  <section class="card" id="video-quota" aria-labelledby="video-quota-title">
    <header>
      <h2 id="video-quota-title">Video quota</h2>
    </header>
    {buckets.length > 0 ? (
      <table class="table budgets" data-list>
        <caption class="visually-hidden">Video quota</caption>
        <thead>
          <tr>
            <th scope="col">Calls</th>
            <th scope="col">Used</th>
            <th scope="col" data-num>
              Amount
            </th>
            <th scope="col">Forecast</th>
            <th scope="col">Mode</th>
            <th scope="col">Resets</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket) => (
            <BucketRow bucket={bucket} />
          ))}
        </tbody>
      </table>
    ) : (
      <p class="body muted">No calls to YouTube yet. They are counted here by Google project.</p>
    )}
    <footer>
      <span class="small muted">
        Units, not money. Counted per Google project and kind of call, until midnight Pacific time.
      </span>
    </footer>
  </section>
)

const BucketRow = ({ bucket }: { bucket: VideoQuotaBucket }) => {
  const { used, limit, ownUsed, exhausted, resetsAt, project, level } = bucket
  const unit = bucket.bucket === 'other' ? 'units' : 'calls'
  return (
    <tr>
      <td data-at="title">
        <b safe>{names[bucket.bucket]}</b>
        <small class="wrap-anywhere" safe>{`${project}, ${level === 'platform' ? 'platform, ' : ''}day`}</small>
      </td>
      <td data-at="sub">
        <LimitMeter
          limit={{
            spentNanoUsd: exhausted ? limit : used,
            reservedNanoUsd: 0,
            limitNanoUsd: limit,
            forecastNanoUsd: bucket.forecast,
          }}
        />
      </td>
      <td data-num data-at="end">
        <span class="nowrap">
          <span safe>{amount(used)}</span> <span class="muted" safe>{`/ ${amount(limit)} ${unit}`}</span>
        </span>
        {ownUsed < used ? <small class="why" safe>{`${amount(ownUsed)} yours`}</small> : null}
      </td>
      <td class="wide-only">
        <Forecast bucket={bucket} unit={unit} />
      </td>
      <td class="wide-only">
        <Badge label="Hard" tone="accent" />
      </td>
      <td data-at="time">
        {exhausted ? (
          <StatusMark state="failed" icon="circle-slash" word="Used up" />
        ) : (
          <span class="narrow-only">Hard · </span>
        )}{' '}
        <span class="nowrap">
          <Time at={resetsAt} form="moment" />
        </span>
      </td>
    </tr>
  )
}

const Forecast = ({ bucket: { forecast, limit, used }, unit }: { bucket: VideoQuotaBucket; unit: string }) => {
  if (forecast > limit) return <b safe>{`${amount(forecast)} ${unit} (${amount(forecast - limit)} over)`}</b>
  return forecast === used ? <span class="muted">On track</span> : <span safe>{`${amount(forecast)} ${unit}`}</span>
}
