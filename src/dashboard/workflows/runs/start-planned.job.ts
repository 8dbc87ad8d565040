import { asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { workflows } from '../../schema.ts'
import { nextRun } from '../triggers/schedule.ts'
import { startRun } from './start.ts'

const perBatch = 50

/** Each minute, on one server. Of times that passed while no server ran, only one run is made up for. */
export const startPlannedWorkflows = job({
  name: 'dashboard.start-planned-workflows',
  input: z.object({}),
  run: async (call) => {
    for (;;) if ((await call.database.transaction((tx) => startBatch(tx, call))) < perBatch) return
  },
})

async function startBatch(tx: Database, call: JobDependencies): Promise<number> {
  const at = call.now()
  const due = await tx
    .select()
    .from(workflows)
    .where(lte(workflows.nextRunAt, at))
    .orderBy(asc(workflows.nextRunAt))
    .limit(perBatch)
    .for('no key update', { skipLocked: true })
  for (const workflow of due) {
    const { trigger, nextRunAt } = workflow
    if (trigger.type !== 'schedule' || !nextRunAt) continue
    const plannedAt = nextRunAt.toISOString()
    await startRun(tx, call, workflow, {
      startedBy: 'schedule',
      cause: `schedule:${plannedAt}`,
      event: null,
      data: { plannedAt },
    })
    await tx
      .update(workflows)
      .set({ nextRunAt: nextRun(trigger, at) })
      .where(eq(workflows.id, workflow.id))
  }
  return due.length
}
