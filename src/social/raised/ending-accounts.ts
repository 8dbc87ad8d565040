import { and, eq, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { connections } from '../schema.ts'
import { endingMs } from './accounts.ts'
import { enqueueActions } from './update-actions.ts'

/** Raises the actions of accounts whose sign-in ends soon. */
export const raiseEnding = job({
  name: 'social.raise-ending-accounts',
  input: z.object({}),
  uniqueBy: () => 'all',
  run: async ({ database, queue }) => {
    const ending = await database.db
      .selectDistinct({ brandId: connections.brandId, provider: connections.provider })
      .from(connections)
      .where(
        and(
          eq(connections.active, true),
          eq(connections.health, 'ok'),
          lt(connections.signInEndsAt, sql`now() + ${endingMs.first} * interval '1 millisecond'`),
        ),
      )
    for (const subject of ending) await enqueueActions(database.db, { queue }, subject)
  },
})
