import { and, eq, notInArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../context.ts'
import { Id } from '../ids.ts'
import { job, type Job, type TypedJob } from '../job.ts'
import { errorFacts } from '../log.ts'
import { receivedWebhooks } from '../schema.ts'
import type { EventOutcome, Webhook } from '../webhook.ts'
import { truncate, sanitizeText } from '../text.ts'
import { publishReceivedWebhook } from './publish-change.ts'

const input = z.object({ id: Id, round: z.int(), organizationId: Id.nullish() })
/** Attempts after the first: with delays that double from 5 to 10 s they span 1.4 to 2.8 hours. */
const retries = 10
const maxProblemLength = 500
const maxLoggedAttempts = 20

type HandledWebhook = Pick<Webhook, 'name' | 'concurrency' | 'perTenant' | 'handle'>

/** Events of no organization share one place. */
const tenantOf = ({ organizationId }: z.output<typeof input>): string => organizationId ?? 'none'

export const createHandlingJob = ({
  name,
  concurrency = 1,
  perTenant,
  handle,
}: HandledWebhook): TypedJob<z.output<typeof input>> =>
  job({
    name,
    input,
    retries,
    concurrency,
    ...(perTenant !== undefined && { perTenant: { of: tenantOf, concurrency: perTenant } }),
    run: async ({ input: { id, round }, ...work }) => {
      const { db } = work.database
      const mine = and(
        eq(receivedWebhooks.id, id),
        eq(receivedWebhooks.round, round),
        notInArray(receivedWebhooks.state, ['handled', 'ignored']),
      )
      const [row] = await db
        .update(receivedWebhooks)
        .set({
          state: 'waiting',
          problem: null,
          settledAt: null,
          attempts: sql`${receivedWebhooks.attempts} + 1`,
        })
        .where(mine)
        .returning()
      if (!row) return
      const settle = async (
        state: 'handled' | 'failed' | 'ignored',
        problem: string | null,
        organizationId = row.organizationId,
      ) => {
        const at = work.now()
        const attempt = { number: row.attempts, at: at.toISOString(), problem }
        const attemptLog = [...row.attemptLog, attempt].slice(-maxLoggedAttempts)
        const change = { state, problem, settledAt: at, attemptLog, organizationId }
        await db.update(receivedWebhooks).set(change).where(mine)
        await publishReceivedWebhook(work, db, { webhook: name, organizationId })
      }
      let outcome: EventOutcome | void
      try {
        outcome = await handle({ ...row, raw: row.body }, work)
      } catch (error) {
        await settle('failed', truncate(sanitizeText(String(errorFacts(error)['error'])), maxProblemLength))
        throw error
      }
      await settle(outcome?.state ?? 'handled', null, outcome?.organizationId)
    },
    // After an attempt that failed it is `failed` already; after one that was killed it still waits.
    onRetriesExhausted: async ({ input: { id, round }, database: { db }, events, now }) => {
      const waits = and(
        eq(receivedWebhooks.id, id),
        eq(receivedWebhooks.round, round),
        eq(receivedWebhooks.state, 'waiting'),
      )
      const problem = 'The last attempt was interrupted or took too long. Replay the event.'
      const [row] = await db
        .update(receivedWebhooks)
        .set({ state: 'failed', problem, settledAt: now() })
        .where(waits)
        .returning({ organizationId: receivedWebhooks.organizationId })
      if (row) await publishReceivedWebhook({ events }, db, { webhook: name, ...row })
    },
  })

export const jobsOf = (contexts: readonly Context[]): Job[] =>
  contexts.flatMap(({ jobs, erasureJob, webhooks }) => [
    ...jobs,
    ...(erasureJob ? [erasureJob] : []),
    ...webhooks.map(createHandlingJob),
  ])

/** The job of a webhook that another server declares: can be enqueued here, but not run. */
export const handlingNamed = (name: string): TypedJob<z.output<typeof input>> =>
  createHandlingJob({
    name,
    concurrency: 2,
    perTenant: 1,
    handle: () => Promise.reject(new Error(`The webhook ${name} is not declared here`)),
  })
