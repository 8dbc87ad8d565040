import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import type { Provided } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { truncate } from '#lib/text.ts'
import type { Clock } from '#lib/time.ts'
import { workflowRuns, workflows } from '../../schema.ts'
import { endSubscription } from '../triggers/subscription.ts'
import { workflowFailingKind } from '../notification-kinds.ts'
import { endFailing, failingCause } from '../failing.ts'
import { emitRunFailed } from '../events.ts'
import { publishWorkflow } from '../publish.ts'
import type { Run } from './claim.ts'

/** Failed runs in a row after which a workflow is paused. */
const maxFailures = 10

type Workflow = typeof workflows.$inferSelect
type Settled = 'succeeded' | 'failed' | 'skipped' | 'cancelled'

/** Undefined when it is settled already, or was retried since. */
export async function settleRun(
  tx: Database,
  { now, events }: Pick<Provided, 'events'> & { readonly now: Clock },
  { id, round }: Pick<Run, 'id' | 'round'>,
  state: Settled,
  note?: string,
): Promise<Run | undefined> {
  const [run] = await tx
    .update(workflowRuns)
    .set({ state, note, settledAt: now(), leasedUntil: null, nextAttemptAt: null })
    .where(and(eq(workflowRuns.id, id), eq(workflowRuns.round, round), isNull(workflowRuns.settledAt)))
    .returning()
  if (run && state === 'succeeded' && run.startedBy !== 'test') await clearFailures(tx, run.workflowId)
  if (run) await publishWorkflow({ events }, tx, run.workflowId)
  return run
}

async function clearFailures(tx: Database, id: string): Promise<void> {
  const failing = and(eq(workflows.id, id), gt(workflows.failures, 0))
  const cleared = await tx.update(workflows).set({ failures: 0 }).where(failing).returning({ state: workflows.state })
  // A paused one keeps its action until it is enabled.
  if (cleared[0]?.state === 'enabled') await endFailing(tx, id)
}

export const failRun = (call: JobDependencies, { id, round }: Pick<Run, 'id' | 'round'>): Promise<void> =>
  auditedJobTransaction(call.database, { operation: 'dashboard.run-workflow', now: call.now }, async (tx) => {
    const run = await settleRun(tx, call, { id, round }, 'failed')
    if (!run || run.startedBy === 'test') return
    await emitRunFailed(tx, call, run)
    const [workflow] = await tx
      .update(workflows)
      .set({ failures: sql`${workflows.failures} + 1` })
      .where(eq(workflows.id, run.workflowId))
      .returning()
    if (workflow?.state !== 'enabled') return
    await (workflow.failures >= maxFailures ? pause(tx, workflow, call.now()) : raiseFailed(tx, workflow, run))
  })

/** One action for a workflow, also after more runs failed. */
async function raiseFailed(tx: Database, { id, organizationId, name }: Workflow, run: Run): Promise<void> {
  const error = run.log.at(-1)?.error
  const href = `/settings/workflows/${id}?run=${run.id}`
  await raiseAction(tx, {
    kind: workflowFailingKind,
    organizationId,
    cause: failingCause(id),
    title: `A run of the workflow ${name} failed`,
    reason: `Step ${run.done + 1} of ${run.steps.length} failed${error ? `: ${truncate(error, 500)}` : '.'}`,
    href: `${href}#run`,
    actions: [
      {
        label: 'Retry',
        method: 'POST',
        href: `/api/workflows/${id}/runs/${run.id}/retry`,
        style: 'primary',
      },
      { label: 'See run', method: 'GET', href: `${href}#run` },
    ],
  })
}

async function pause(tx: Database, workflow: Workflow, at: Date): Promise<void> {
  const { id, organizationId, name } = workflow
  await tx
    .update(workflows)
    .set({ state: 'paused', nextRunAt: null, version: workflow.version + 1, updatedAt: at })
    .where(eq(workflows.id, id))
  await endSubscription(tx, id)
  recordChange(tx, {
    object: 'workflow',
    id,
    before: { name, state: 'enabled' },
    after: { name, state: 'paused' },
    organizationId,
  })
  await raiseAction(tx, {
    kind: workflowFailingKind,
    organizationId,
    cause: failingCause(id),
    title: `The workflow ${name} was paused`,
    reason: `${maxFailures} runs in a row failed. See why in the log of its runs, repair its steps and enable it again.`,
    href: `/settings/workflows/${id}`,
    actions: [
      {
        label: 'Enable',
        method: 'PUT',
        href: `/api/workflows/${id}`,
        body: { state: 'enabled' },
        style: 'primary',
      },
      { label: 'See runs', method: 'GET', href: `/settings/workflows/${id}` },
    ],
  })
}
