import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { providerEndpoints } from '../schema.ts'
import { isTest, payerOf, type EndpointWork } from './account.ts'
import { findLostEvents } from './find-lost.ts'
import { findEndpoint, insertEndpoint, webhookPath } from './register.ts'
import { retryFailedEvents } from './retry-failed.ts'

/** Of one endpoint. Searching the accounts of many recipients takes long. */
export const findLostOfEndpoint = job({
  name: 'payments.find-lost-events-of-endpoint',
  input: z.object({ endpointId: Id, organizationId: Id.nullable() }),
  concurrency: 4,
  perTenant: { of: ({ organizationId }) => organizationId ?? 'platform', concurrency: 1 },
  retries: 0,
  uniqueBy: ({ endpointId }) => endpointId,
  run: async ({ input, database: { db }, ...rest }) => {
    const [endpoint] = await db.select().from(providerEndpoints).where(eq(providerEndpoints.id, input.endpointId))
    if (endpoint) await findLostEvents({ ...rest, db }, endpoint)
  },
})

export const findLost = job({
  name: 'payments.find-lost-events',
  input: z.object({}),
  uniqueBy: () => 'all',
  run: async ({ database, ...rest }) => {
    const { db } = database
    const work = { ...rest, db }
    if (work.config.STRIPE_WEBHOOK_SECRET) await notePlatformEndpoint(work)
    await retryFailedEvents(work)
    const { id: endpointId, organizationId } = providerEndpoints
    for (const endpoint of await db.select({ endpointId, organizationId }).from(providerEndpoints))
      await database.transaction((tx) => work.queue.enqueue(tx, findLostOfEndpoint, endpoint))
  },
})

/** The one that was created by hand: its row says how far its events have been searched. */
async function notePlatformEndpoint(work: EndpointWork): Promise<void> {
  const platform = {
    organizationId: null,
    provider: 'stripe' as const,
    mode: isTest(work.config) ? ('test' as const) : ('live' as const),
  }
  // Its account is known once an organization uses it.
  const payer = await payerOf(work, platform)
  const place = { ...platform, scope: 'account' as const, accountKey: payer?.accountKey ?? null }
  if (await findEndpoint(work, place)) return
  const { origin } = new URL(publicUrlOfJob(webhookPath, work.config))
  await insertEndpoint(work, { ...place, origin }, work.now())
}
