import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { refunds } from '../schema.ts'
import { turnOf } from '../turns.ts'
import { sweepRefund } from './check.ts'
import { leaseEnd } from './lease.ts'

const batch = 100

export const checkRefundJob = job({
  name: 'payments.check-refund',
  input: z.object({ refundId: Id, organizationId: Id }),
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 2 },
  retries: 0,
  uniqueBy: ({ refundId }) => refundId,
  run: ({ input, database, ...work }) => sweepRefund({ ...work, db: database.db }, input.refundId),
})

/** Refunds whose outcome isn’t known, that are pending at the provider, or whose server stopped before it sent them. */
export const sweepRefunds = job({
  name: 'payments.sweep-refunds',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, config, now }) => {
    const due = await database.db
      .select({ id: refunds.id, organizationId: refunds.organizationId, nextCheckAt: refunds.nextCheckAt })
      .from(refunds)
      .where(lte(refunds.nextCheckAt, now()))
      .orderBy(turnOf(refunds), asc(refunds.nextCheckAt))
      .limit(batch)
    for (const { id, organizationId, nextCheckAt } of due)
      await database.transaction(async (tx) => {
        if (!nextCheckAt) return
        // When the job is lost with its server, the refund is due again.
        await tx
          .update(refunds)
          .set({ nextCheckAt: leaseEnd({ config, now }) })
          .where(and(eq(refunds.id, id), eq(refunds.nextCheckAt, nextCheckAt)))
        await queue.enqueue(tx, checkRefundJob, { refundId: id, organizationId })
      })
  },
})
