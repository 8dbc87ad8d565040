import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { publishNotification } from './notifications.topic.ts'

/** Tells open pages that a snooze has ended. */
export const wakeSnoozed = job({
  name: 'dashboard.wake-snoozed',
  input: z.object({ organizationId: Id }),
  run: ({ input, database, events }) => publishNotification({ events }, database.db, input.organizationId),
})
