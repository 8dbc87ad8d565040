import { Cron } from 'croner'

/** Milliseconds between two planned runs. */
const minGapMs = 5 * 60_000
/** Enough to see each pair of neighbouring times of a pattern of minutes and hours. */
const lookedAt = 300

interface Plan {
  cron: string
  timeZone: string
}

const open = ({ cron, timeZone }: Plan): Cron => new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' })

/** Null when it never runs again. */
export const nextRun = (plan: Plan, after: Date): Date | null => open(plan).nextRun(after)

export const nextRuns = (plan: Plan, after: Date, count: number): Date[] => open(plan).nextRuns(count, after)

/** Why a schedule can't be used; null when it can. */
export function scheduleProblem(plan: Plan, now: Date): string | null {
  try {
    const times = open(plan).nextRuns(lookedAt, now)
    if (times.length === 0) return 'Never runs.'
    const isTight = times.some((at, index) => index > 0 && at.getTime() - (times[index - 1]?.getTime() ?? 0) < minGapMs)
    return isTight ? 'Must run at most every 5 minutes.' : null
  } catch {
    return 'Must be five fields: minute, hour, day, month and weekday, such as 0 9 * * 1.'
  }
}
