import type { LimitDryRun } from '#gateway/types'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { amount, dollars } from '../money.ts'
import { LimitMeter } from './meter.tsx'

/** What a limit would have done with earlier usage. */
export const LimitDryRunCard = ({ result }: { result: LimitDryRun }) => {
  const { limitNanoUsd, spentNanoUsd, largestNanoUsd, from, runsOutAt, mode } = result
  const isOver = spentNanoUsd >= limitNanoUsd
  return (
    <section class="card" data-tone="sunken">
      <header>
        <h3>Dry run</h3>
        {isOver && mode === 'hard' ? <Badge label="Blocks right away" tone="danger" icon="circle-slash" /> : null}
      </header>
      <div class="body stack" style="--gap: var(--space-3)">
        <LimitMeter limit={{ limitNanoUsd, spentNanoUsd, reservedNanoUsd: 0 }} />
        <p>
          <b safe>{dollars(spentNanoUsd)}</b>
          <span safe>{` of ${dollars(limitNanoUsd)} is spent in the current period. `}</span>
          {runsOutAt ? (
            <>
              {isOver ? 'It was reached ' : 'At this pace it runs out '}
              <Time at={runsOutAt} form="moment" />.
            </>
          ) : (
            'At this pace it isn’t reached.'
          )}
        </p>
        <p safe>{historyText(result)}</p>
        <small>
          <span safe>{`The most that was spent in one period is ${dollars(largestNanoUsd)}. Usage since `}</span>
          <Time at={from} form="day" />.
        </small>
      </div>
    </section>
  )
}

function historyText({ periods, exceeded, refusedCalls, refusedNanoUsd, mode }: LimitDryRun): string {
  if (exceeded === 0) return 'It would not have been reached in the last 30 days.'
  const times = `It would have been reached in ${exceeded} of ${periods} ${periods === 1 ? 'period' : 'periods'}.`
  if (mode !== 'hard') return `${times} Calls would have gone on.`
  return `${times} About ${amount(refusedCalls)} ${refusedCalls === 1 ? 'call' : 'calls'} (${dollars(refusedNanoUsd)}) would have been refused.`
}
