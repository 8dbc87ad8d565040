import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { emailMessages } from '../schema.ts'
import type { PlanAttempt } from './rows.ts'

/** More are found by the job that looks for waiting emails every 10 minutes. */
const maxResumed = 1_000

/** Emails without a planned attempt wait for their sender. */
export async function resumeMessages(tx: Database, plan: PlanAttempt, senderId: string): Promise<void> {
  const { id, organizationId, system, state, nextAttemptAt } = emailMessages
  const rows = await tx
    .select({ id, organizationId, system })
    .from(emailMessages)
    .where(and(eq(emailMessages.senderId, senderId), eq(state, 'queued'), isNull(nextAttemptAt)))
    .orderBy(asc(id))
    .limit(maxResumed)
  for (const row of rows) await plan(tx, row)
}
