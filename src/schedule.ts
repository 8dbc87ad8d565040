import { Cron } from 'croner'

/** Everything that the server does by the clock (UTC), and when. */
const schedule = {
  /** Looks for posts that came due; known due times wake the scheduler exactly. */
  publishDue: '* * * * * *',
  /** Enqueues the deletion of files that stand for nothing. */
  sweepFiles: '0 47 * * * *',
  /** Enqueues the deletion of expired sessions and refresh tokens. */
  forgetExpired: '0 17 * * * *',
  /** Enqueues the change of the key that signs tokens, when it is time. */
  rotateKeys: '0 27 * * * *',
  /** Enqueues the checks of verified e-mail domains. */
  recheckDomains: '0 57 * * * *',
  /** Enqueues the letters about deletions that become final soon. */
  remindOfDeletions: '0 12 * * * *',
  /** Enqueues the erasure of what was deleted. */
  eraseDeleted: '0 22 * * * *',
  /** Enqueues the letters about API keys that end soon. */
  remindOfKeys: '0 7 * * * *',
  /** Enqueues the deletion of exports whose time is over. */
  sweepExports: '0 32 * * * *',
  /** Enqueues the deletion of old mails, and of what was sent to webhooks. */
  forgetMails: '0 37 3 * * *',
  /** Enqueues the deletion of answers kept for a day, and of allowances whose minute is over. */
  forgetSpent: '0 47 * * * *',
} as const

/** Runs a line of the schedule; `planned` is the same on every server, however late each is. */
type ScheduledTask = (planned: Date) => void | Promise<void>

/** What to do at each line of the schedule; a server without the service leaves its line out. */
export type ScheduledTasks = { [Name in keyof typeof schedule]?: ScheduledTask }

export interface RunningSchedule {
  stop(): void
}

/** Starts the schedule. A task that is still running is not started again; what it throws goes to `complain`. */
export function startSchedule(
  tasks: ScheduledTasks,
  complain: (name: string, error: unknown) => void,
): RunningSchedule {
  const given = new Map(Object.entries(tasks))
  const crons = Object.entries(schedule).flatMap(([name, pattern]) => {
    const task = given.get(name)
    const options = { protect: true, timezone: 'UTC', catch: (error: unknown) => complain(name, error) }
    return task ? [new Cron(pattern, options, (cron: Cron) => task(plannedRun(cron)))] : []
  })
  return { stop: () => crons.forEach((cron) => cron.stop()) }
}

/** The latest planned time up to now: patterns are of whole seconds, and a run starts some milliseconds late. */
function plannedRun(cron: Cron): Date {
  const nextSecond = new Date(Date.now() + 1_000)
  return cron.previousRuns(1, nextSecond)[0] ?? nextSecond
}
