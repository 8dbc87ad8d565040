import type { SchedulePreview } from '#dashboard/types'
import { Time } from '#views/ui/time.tsx'

/** In the zone of the schedule, whose clock its times follow. */
export const NextRuns = ({ preview: { words, problem, runs, timeZone } }: { preview: SchedulePreview }) =>
  problem === null ? (
    <div class="small">
      <p safe>{`${words}, ${timeZone}. Next runs:`}</p>
      <ul>
        {runs.map((at) => (
          <li>
            <Time at={at} zone={timeZone} />
          </li>
        ))}
      </ul>
    </div>
  ) : (
    <p class="small" safe>
      {problem}
    </p>
  )
