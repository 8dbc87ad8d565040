import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import type { emailMessages, emailRecipients } from '../schema.ts'

export type MessageRow = typeof emailMessages.$inferSelect
export type RecipientRow = typeof emailRecipients.$inferSelect

/** Plans an attempt on the transaction `db`; at once without `startAfter`. */
export type PlanAttempt = (
  db: Database,
  message: Pick<MessageRow, 'id' | 'organizationId' | 'system'>,
  startAfter?: Date,
) => Promise<void>

export type EmailWork = JobDependencies & { readonly plan: PlanAttempt }
