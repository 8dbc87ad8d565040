import { z } from 'zod'
import { forEachSettled } from '#lib/each.ts'
import { job } from '#lib/job.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { providerEndpoints } from '../schema.ts'
import { isTest, type EndpointWork } from './account.ts'
import { findLostEvents } from './find-lost.ts'
import { insertEndpoint, webhookPath } from './register.ts'

/** Endpoints whose events are listed at once. */
const concurrency = 4

export const findLost = job({
  name: 'payments.find-lost-events',
  input: z.object({}),
  uniqueBy: () => 'all',
  run: async ({ database: { db }, ...rest }) => {
    const work = { ...rest, db }
    if (work.config.STRIPE_WEBHOOK_SECRET) await notePlatformEndpoint(work)
    const endpoints = await db.select().from(providerEndpoints)
    await forEachSettled(endpoints, async (endpoint) => void (await findLostEvents(work, endpoint)), concurrency)
  },
})

/** The one that was created by hand: its row says how far its events have been searched. */
const notePlatformEndpoint = (work: EndpointWork) =>
  insertEndpoint(
    work,
    {
      organizationId: null,
      provider: 'stripe',
      mode: isTest(work.config) ? 'test' : 'live',
      scope: 'account',
      origin: new URL(publicUrlOfJob(webhookPath, work.config)).origin,
    },
    work.now(),
  )
