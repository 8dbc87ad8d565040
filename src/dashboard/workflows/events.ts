import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import type { workflowRuns } from '../schema.ts'

const runFailed = webhookEvent({
  type: 'workflow_run.failed',
  summary: 'A run of a workflow failed in all attempts',
  permission: 'workflows:read',
  data: z.object({
    workflowId: Id,
    runId: Id,
    startedBy: z.enum(['event', 'schedule', 'test']),
    step: z.int().describe('The step that failed, from 1.'),
  }),
})

export const workflowEvents = [runFailed]

type Run = Pick<
  typeof workflowRuns.$inferSelect,
  'id' | 'organizationId' | 'workflowId' | 'startedBy' | 'done' | 'event'
>

/** On the transaction of the change. None for a run that began at this event: two workflows would start each other forever. */
export async function emitRunFailed(tx: Database, emitting: EmitDependencies, run: Run): Promise<void> {
  if (run.event === runFailed.type) return
  const { id: runId, organizationId, workflowId, startedBy, done } = run
  await emitWebhook(tx, emitting, {
    organizationId,
    event: runFailed,
    data: { workflowId, runId, startedBy, step: done + 1 },
  })
}
