import { Cron } from 'croner'
import type { Context, Schedule } from '#lib/context.ts'

/** `planned` is the same on every server, even when one is late. */
type RunScheduled = (schedule: Schedule, planned: Date) => Promise<void>

export interface RunningSchedule {
  stop(): void
}

export const schedulesOf = (contexts: readonly Context[]): Schedule[] =>
  contexts.flatMap(({ schedules = [] }) => schedules)

/** A schedule that is still running is not started again; its errors go to `reportError`. */
export function startSchedule(
  schedules: readonly Schedule[],
  run: RunScheduled,
  reportError: (name: string, error: unknown) => void,
): RunningSchedule {
  const crons = schedules.map((schedule) => {
    const options = { protect: true, timezone: 'UTC', catch: (error: unknown) => reportError(schedule.job.name, error) }
    return new Cron(schedule.cron, options, (cron: Cron) => run(schedule, plannedRun(cron)))
  })
  return { stop: () => crons.forEach((cron) => cron.stop()) }
}

/** The latest planned time up to now: patterns are of whole seconds, and a run starts some milliseconds late. */
function plannedRun(cron: Cron): Date {
  const nextSecond = new Date(Date.now() + 1_000)
  return cron.previousRuns(1, nextSecond)[0] ?? nextSecond
}
