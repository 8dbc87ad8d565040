import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { limits } from '../schema.ts'
import { sendAlert } from './send-alert.ts'

/** Tells the super admins about a limit that they set. */
export const alertPlatform = job({
  name: 'gateway.alert-platform',
  input: z.object({
    limitId: z.guid(),
    percent: z.union([z.literal(50), z.literal(80), z.literal(100)]),
    spentNanoUsd: z.string(),
    resetsAt: z.string().nullable(),
  }),
  run: async ({ input: { limitId, ...alert }, identity, database, ...emitting }) => {
    const organizationId = await identity.adminOrganizationId()
    if (organizationId === null) return
    await database.transaction(async (tx) => {
      const [limit] = await tx.select().from(limits).where(eq(limits.id, limitId))
      if (limit) await sendAlert(tx, emitting, { limit, organizationId, ...alert })
    })
  },
})
