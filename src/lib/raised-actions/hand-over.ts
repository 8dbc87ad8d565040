import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Provided } from '../call.ts'
import type { DatabaseHandle } from '../db.ts'
import { Id } from '../ids.ts'
import type { Running, StartDependencies } from '../background.ts'
import { logFault } from '../log/fault.ts'
import { job } from '../job.ts'
import type { Queue } from '../queue.ts'
import { raisedActions, type ActionButton } from '../schema.ts'
import type { Clock } from '../time.ts'
import { raisedActionEvent } from './event.ts'

declare module '../call.ts' {
  interface Provided {
    /** Null without a dashboard, in this process or at DASHBOARD_URL: actions stay in the outbox. */
    readonly takeAction: TakeAction | null
  }
}

export interface ActionNotice {
  id: string
  organizationId: string
  surface: 'action' | 'notice'
  service: string | null
  kind: string | null
  permission: string | null
  resourceKind: string | null
  resourceId: string | null
  personId: string | null
  cause: string
  title: string
  reason: string
  href: string
  actions: ActionButton[]
  dueAt: Date | null
  raisedAt: Date
  resolvedAt: Date | null
  /** Notices can be repeated and arrive out of order: ignore one whose version isn't higher than the last. */
  version: number
}

export type TakeAction = (
  work: Provided & { readonly database: DatabaseHandle; readonly now: Clock },
  notice: ActionNotice,
) => Promise<void>

export const handOverAction = job({
  name: 'platform.hand-over-action',
  input: z.object({ id: Id, organizationId: Id }),
  /** Delays that double from 5 to 10 s: 5.7 to 11.4 hours in all. */
  retries: 12,
  concurrency: 2,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  uniqueBy: ({ id }) => id,
  run: async (call) => {
    const { db } = call.database
    const mine = eq(raisedActions.id, call.input.id)
    const [row] = await db
      .select()
      .from(raisedActions)
      .where(and(mine, lt(raisedActions.takenVersion, raisedActions.version)))
    if (!row) return
    if (!call.takeAction) throw new Error('Nothing receives actions in this process')
    const { enqueuedVersion: _, takenVersion: __, ...notice } = row
    await call.takeAction(call, notice)
    await db
      .update(raisedActions)
      .set({ takenVersion: notice.version })
      .where(and(mine, lt(raisedActions.takenVersion, notice.version)))
  },
  // A dashboard can be away for days: `enqueueActions` enqueues what it hasn't received again.
  onRetriesExhausted: async ({ input: { id }, database: { db } }) => {
    await db
      .update(raisedActions)
      .set({ enqueuedVersion: sql`${raisedActions.takenVersion}` })
      .where(and(eq(raisedActions.id, id), lt(raisedActions.takenVersion, raisedActions.version)))
  },
})

const maxPerRun = 500

export const enqueueActions = (database: DatabaseHandle, queue: Queue): Promise<void> =>
  database.transaction(async (tx) => {
    const waiting = tx
      .select({ id: raisedActions.id })
      .from(raisedActions)
      .where(lt(raisedActions.enqueuedVersion, raisedActions.version))
      .orderBy(raisedActions.raisedAt)
      .limit(maxPerRun)
      .for('update', { skipLocked: true })
    const rows = await tx
      .update(raisedActions)
      .set({ enqueuedVersion: sql`${raisedActions.version}` })
      .where(inArray(raisedActions.id, waiting))
      .returning({ id: raisedActions.id, organizationId: raisedActions.organizationId })
    for (const row of rows) await queue.enqueue(tx, handOverAction, row)
  })

const pollMs = 5_000

export function startHandingOver({ takeAction, database, queue, log, events }: StartDependencies): Running {
  if (!takeAction) return { stop: async () => {} }
  let polling: Promise<void> | undefined
  let again = false
  const poll = () => {
    again = polling !== undefined
    polling ??= enqueueActions(database, queue)
      .catch((error: unknown) => logFault(log, 'actions', error))
      .finally(() => {
        polling = undefined
        if (again && !stopped) poll()
      })
  }
  let stopped = false
  // The interval is for what was raised while this server received no events.
  events.subscribe(raisedActionEvent, z.unknown(), poll, { committed: true })
  const timer = setInterval(poll, pollMs)
  return {
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await polling
    },
  }
}
