import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { updateDeadLetterActions } from './dead-letter-action.ts'
import { deliver } from './deliver.ts'
import type { EmailWork, PlanAttempt } from './rows.ts'
import { dropUnconfirmed, failMessage, resumeWaiting } from './upkeep.ts'

const concurrency = 8

const Input = z.object({ id: Id, tenant: z.string() })
type Input = z.output<typeof Input>
type Sending = JobDependencies & { readonly input: Input }

const sending = {
  input: Input,
  concurrency,
  uniqueBy: ({ id }: Input) => id,
  retries: 10,
  maxSeconds: 5 * 60,
  run: ({ input, ...work }: Sending) => deliver(withPlan(work), input.id),
  onRetriesExhausted: ({ input, ...work }: Sending) => failMessage(withPlan(work), input.id),
}

export const sendEmail = job({
  ...sending,
  name: 'gateway.send-email',
  // A mail server of one organization that hangs holds up no other.
  perTenant: { of: ({ tenant }: Input) => tenant, concurrency: concurrency / 2 },
})

/** Emails of the platform itself, such as sign-in links: mail servers of organizations that hang can’t take their place. */
export const sendSystemEmail = job({ ...sending, name: 'gateway.send-system-email' })

export const planWith =
  (queue: Queue): PlanAttempt =>
  (db, { id, organizationId, system }, startAfter) =>
    queue.enqueue(
      db,
      system ? sendSystemEmail : sendEmail,
      { id, tenant: organizationId ?? 'platform' },
      { ...(startAfter && { startAfter }) },
    )

const withPlan = (work: JobDependencies): EmailWork => ({ ...work, plan: planWith(work.queue) })

export const maintainEmails = job({
  name: 'gateway.maintain-emails',
  input: z.object({}),
  run: async (work) => {
    await dropUnconfirmed(work)
    await resumeWaiting(withPlan(work))
    await updateDeadLetterActions(work.database.db)
  },
})
