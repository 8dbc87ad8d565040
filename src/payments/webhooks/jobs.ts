import { z } from 'zod'
import { forEachSettled } from '#lib/each.ts'
import { job } from '#lib/job.ts'
import { providerEndpoints } from '../schema.ts'
import { findLostEvents } from './find-lost.ts'

/** Endpoints whose events are listed at once. */
const concurrency = 4

export const findLost = job({
  name: 'payments.find-lost-events',
  input: z.object({}),
  uniqueBy: () => 'all',
  run: async (work) => {
    const { db } = work.database
    const endpoints = await db.select().from(providerEndpoints)
    await forEachSettled(
      endpoints,
      async (endpoint) => void (await findLostEvents({ ...work, db }, endpoint)),
      concurrency,
    )
  },
})
