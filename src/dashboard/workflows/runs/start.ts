import { and, eq, gte, sql } from 'drizzle-orm'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import type { Clock } from '#lib/time.ts'
import { workflowRuns, type workflows } from '../../schema.ts'
import { workflowFailingKind } from '../notification-kinds.ts'
import { publishWorkflow } from '../publish.ts'
import { boundData } from './bound-data.ts'
import { runWorkflow } from './run.job.ts'

type Workflow = Pick<typeof workflows.$inferSelect, 'id' | 'organizationId' | 'steps'>
type Run = typeof workflowRuns.$inferSelect
type Start = Pick<Run, 'startedBy' | 'cause' | 'event' | 'data'>

/** Runs that an organization can start in a day (UTC). */
export const maxRunsPerDay = 1_000

/** Runs that an organization can start in a minute. Later ones wait for one of the next minutes. */
export const maxRunsPerMinute = 60

const minuteMs = 60_000

/** On a transaction. Null when the cause has a run already, or the organization had all of its runs today. */
export async function startRun(
  tx: Database,
  { queue, events, now }: Pick<Provided, 'queue' | 'events'> & { readonly now: Clock },
  { id: workflowId, organizationId, steps }: Workflow,
  start: Start,
): Promise<Run | null> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`workflow runs ${organizationId}`}, 0))`)
  const at = now()
  if (await isAtLimit(tx, organizationId, at)) return null
  const nextAttemptAt = await freeMinute(tx, organizationId, at)
  const bounded = boundData(start.data)
  const [run] = await tx
    .insert(workflowRuns)
    .values({ ...start, ...bounded, organizationId, workflowId, steps, state: 'waiting', nextAttemptAt, createdAt: at })
    .onConflictDoNothing({ target: [workflowRuns.workflowId, workflowRuns.cause] })
    .returning()
  if (!run) return null
  await publishWorkflow({ events }, tx, workflowId)
  const input = { id: run.id, round: run.round, organizationId }
  await queue.enqueue(tx, runWorkflow, input, nextAttemptAt ? { startAfter: nextAttemptAt } : undefined)
  return run
}

const since = (organizationId: string, from: Date) =>
  and(eq(workflowRuns.organizationId, organizationId), gte(workflowRuns.createdAt, from))

export const countRecent = (tx: Database, organizationId: string, at: Date): Promise<number> =>
  tx.$count(workflowRuns, since(organizationId, new Date(at.getTime() - minuteMs)))

/** Null for now. */
async function freeMinute(tx: Database, organizationId: string, at: Date): Promise<Date | null> {
  const minutes = Math.floor((await countRecent(tx, organizationId, at)) / maxRunsPerMinute)
  return minutes === 0 ? null : new Date(at.getTime() + minutes * minuteMs)
}

async function isAtLimit(tx: Database, organizationId: string, at: Date): Promise<boolean> {
  const day = at.toISOString().slice(0, 10)
  const today = since(organizationId, new Date(`${day}T00:00:00Z`))
  const counted = tx.select({ id: workflowRuns.id }).from(workflowRuns).where(today).limit(maxRunsPerDay).as('today')
  if ((await tx.$count(counted)) < maxRunsPerDay) return false
  await raiseAction(tx, {
    kind: workflowFailingKind,
    surface: 'notice',
    organizationId,
    cause: `dashboard.workflow-limit:${organizationId}:${day}`,
    title: 'Workflows ran as often as they can today',
    reason: `An organization can run workflows ${maxRunsPerDay.toLocaleString('en')} times a day. Events and planned times don’t start more runs until midnight UTC.`,
    href: '/settings/workflows',
    actions: [],
  })
  return true
}
