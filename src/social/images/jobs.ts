import { and, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import { job } from '#lib/job.ts'
import { imageGenerations } from '../schema.ts'
import { announce } from './announce.ts'
import { interrupted } from './failures.ts'
import { failedFields } from './settle.ts'

/** Fails the generations of servers that were killed: their images can't arrive any more. */
export const failInterruptedImages = job({
  name: 'social.fail-interrupted-images',
  input: z.object({}),
  uniqueBy: () => 'all',
  run: ({ database, events, now }) =>
    auditedJobTransaction(database, { operation: 'social.fail-interrupted-images', now }, async (tx) => {
      const at = now()
      const abandoned = and(eq(imageGenerations.status, 'generating'), lte(imageGenerations.leaseUntil, at))
      const failed = await tx
        .update(imageGenerations)
        .set({ ...failedFields(at), ...interrupted })
        .where(abandoned)
        .returning()
      for (const after of failed) {
        recordChange(tx, { object: 'image generation', id: after.id, after })
        await announce(tx, { events }, after)
      }
    }),
})
