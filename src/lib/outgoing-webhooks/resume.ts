import { and, asc, eq, exists, inArray, isNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Problem } from '../errors.ts'
import { logFault } from '../log/fault.ts'
import { Id } from '../ids.ts'
import { job, type TypedJob } from '../job.ts'
import { webhookDeliveries, webhookEndpoints } from '../schema.ts'
import { enqueueDelivery } from './deliver.ts'

const batchSize = 100

const isHeld = and(eq(webhookDeliveries.state, 'waiting'), isNull(webhookDeliveries.nextAttemptAt))

const Input = z.object({ id: Id, organizationId: Id })

/** Oldest first, unless its organization is suspended. While identity is away `resumeWebhooks` enqueues it again. */
export const resumeWebhook: TypedJob<z.output<typeof Input>> = job({
  name: 'platform.resume-webhook',
  input: Input,
  concurrency: 2,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 1 },
  uniqueBy: ({ id }) => id,
  run: async ({ input, database, identity, queue, now }) => {
    const { id: endpointId, organizationId } = input
    const isLocked = await identity.isSuspended(organizationId).catch((error: unknown) => {
      if (error instanceof Problem && error.status === 503) return true
      throw error
    })
    if (isLocked) return
    await database.transaction(async (tx) => {
      const [endpoint] = await tx
        .select()
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.id, endpointId))
        .for('share')
      if (!endpoint || endpoint.state === 'paused') return
      const held = tx
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.endpointId, endpointId), isHeld))
        .orderBy(asc(webhookDeliveries.id))
        .limit(batchSize)
        .for('update', { skipLocked: true })
      const resumed = await tx
        .update(webhookDeliveries)
        .set({ nextAttemptAt: now() })
        .where(inArray(webhookDeliveries.id, held))
        .returning({ id: webhookDeliveries.id, round: webhookDeliveries.round })
      for (const delivery of resumed) await enqueueDelivery(tx, queue, endpoint, { ...delivery, organizationId })
      if (resumed.length === batchSize) await queue.enqueue(tx, resumeWebhook, input)
    })
  },
})

export const resumeWebhooks = job({
  name: 'platform.resume-webhooks',
  input: z.object({}),
  run: async ({ database: { db }, identity, queue, log }) => {
    const held = db
      .select({ one: sql`1` })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.endpointId, webhookEndpoints.id), isHeld))
    const endpoints = await db
      .select({ id: webhookEndpoints.id, organizationId: webhookEndpoints.organizationId })
      .from(webhookEndpoints)
      .where(and(ne(webhookEndpoints.state, 'paused'), exists(held)))
    try {
      for (const endpoint of endpoints)
        if (!(await identity.isSuspended(endpoint.organizationId))) await queue.enqueue(db, resumeWebhook, endpoint)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 503) throw error
      logFault(log, 'webhooks not resumed', error) // The next run of the schedule tries again.
    }
  },
})
