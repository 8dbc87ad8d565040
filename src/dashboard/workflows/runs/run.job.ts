import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { workflowRuns } from '../../schema.ts'
import { claimRun } from './claim.ts'
import { performSteps } from './perform.ts'
import { failRun, settleRun } from './settle.ts'

export const runWorkflow = job({
  name: 'dashboard.run-workflow',
  input: z.object({ id: Id, round: z.int(), organizationId: Id }),
  concurrency: 10,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 5 },
  retries: 12,
  run: async (call) => {
    const { input, database, queue } = call
    if (await call.identity.isSuspended(input.organizationId)) {
      await database.transaction((tx) => settleRun(tx, call, input, 'skipped', 'The organization is suspended.'))
      return
    }
    const claim = await claimRun(call, input)
    if (claim.later) await queue.enqueue(database.db, runWorkflow, input, { startAfter: claim.later })
    if (!claim.run) return
    const retryAt = await performSteps(call, claim.run)
    if (retryAt) await queue.enqueue(database.db, runWorkflow, input, { startAfter: retryAt })
  },
  // Its server failed again and again, or the database was away.
  onRetriesExhausted: async (call) => {
    const { id, round } = call.input
    const [run] = await call.database.db
      .select()
      .from(workflowRuns)
      .where(and(eq(workflowRuns.id, id), eq(workflowRuns.round, round)))
    if (run) await failRun(call, run)
  },
})
