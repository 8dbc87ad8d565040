import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { deleteInBatches } from '#lib/db/delete-in-batches.ts'
import { job } from '#lib/job.ts'
import { usageDedupe } from '../schema.ts'
import { dayAfter, dayOf, dropPartitionsBefore, ensurePartitions, oldestDay } from './partitions.ts'

/** So many days of partitions are created before they are needed. */
const daysAhead = 3

/** Creates partitions ahead, and drops what is older than USAGE_RAW_DAYS. */
export const maintainUsage = job({
  name: 'gateway.maintain-usage',
  input: z.object({}),
  run: async ({ database: { db }, config, now }) => {
    const today = dayOf(now())
    await ensurePartitions(
      db,
      Array.from({ length: daysAhead + 1 }, (_, days) => dayAfter(today, days)),
    )
    const oldest = oldestDay(now(), config.USAGE_RAW_DAYS)
    await dropPartitionsBefore(db, oldest)
    await deleteInBatches(db, usageDedupe, lt(usageDedupe.occurredAt, new Date(oldest)))
  },
})
