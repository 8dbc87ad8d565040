import { and, eq, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies, type TypedJob } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { attemptDelivery, type AttemptOutcome } from '#lib/outgoing-webhooks/attempt.ts'
import { retryDelays } from '#lib/outgoing-webhooks/deliver.ts'
import { settlementCallbackAttempts, settlementCallbacks, settlements } from '../../schema.ts'
import { publishSettlement } from '../settlements.topic.ts'
import { validSecretsOf } from './secrets.ts'

const timeoutMs = 15_000
/** Attempts that are kept. */
const maxLog = 20
/** Seconds until a callback of a suspended organization is tried again; it doesn't count as an attempt. */
const holdSeconds = 600

const Round = z.object({ id: Id, round: z.int(), organizationId: Id })
type Round = z.output<typeof Round>

/** Each is a job of its own, so that one that fails doesn't hold up the next. */
export const deliverCallback: TypedJob<Round> = job({
  name: 'payments.deliver-callback',
  input: Round,
  concurrency: 8,
  perTenant: { of: ({ organizationId }) => organizationId, concurrency: 4 },
  retries: 8,
  run: async (call) => {
    const { db } = call.database
    const found = await readCallback(db, call.input)
    if (!found) return
    if (await isSuspended(call)) {
      await call.queue.enqueue(db, deliverCallback, call.input, { startAfter: holdSeconds })
      return
    }
    const at = call.now()
    const startedAt = performance.now()
    const outcome = await attemptDelivery(call.outbound, {
      url: found.url,
      id: found.callback.id,
      body: found.callback.body,
      secrets: await validSecretsOf(db, call.secrets, call.input.organizationId, at),
      at,
      timeoutMs,
    })
    const durationMs = Math.round(performance.now() - startedAt)
    await call.database.transaction((tx) => settle(tx, call, found.callback, { ...outcome, at, durationMs }))
  },
})

type CallbackRow = typeof settlementCallbacks.$inferSelect

/** Undefined for one that is delivered, has failed, or was replayed since (`round`). */
async function readCallback(
  db: Database,
  { id, round }: Round,
): Promise<{ callback: CallbackRow; url: string } | undefined> {
  const [row] = await db
    .select({ callback: settlementCallbacks, url: settlements.callbackUrl })
    .from(settlementCallbacks)
    .innerJoin(settlements, eq(settlements.id, settlementCallbacks.settlementId))
    .where(
      and(
        eq(settlementCallbacks.id, id),
        eq(settlementCallbacks.state, 'waiting'),
        eq(settlementCallbacks.round, round),
      ),
    )
  return row
}

/** Or identity unavailable. */
async function isSuspended({ identity, log, input }: JobDependencies & { input: Round }): Promise<boolean> {
  try {
    return await identity.isSuspended(input.organizationId)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503) throw error
    logFault(log, 'settlement callback held', error, { callback: input.id })
    return true
  }
}

async function settle(
  tx: Database,
  work: JobDependencies,
  callback: CallbackRow,
  { status, answer, problem, at, durationMs }: AttemptOutcome & { at: Date; durationMs: number },
): Promise<void> {
  const { id, organizationId, settlementId, round, tries, attempts } = callback
  const isDelivered = status !== null && status >= 200 && status < 300
  const isGone = status === 410
  const delay = isDelivered || isGone ? undefined : retryDelays[tries]
  const now = work.now()
  const next =
    delay === undefined
      ? { state: isDelivered ? ('delivered' as const) : ('failed' as const), nextAttemptAt: null, settledAt: now }
      : { nextAttemptAt: new Date(now.getTime() + delay * 1_000) }
  const number = attempts + 1
  const settled = await tx
    .update(settlementCallbacks)
    .set({ ...next, tries: tries + 1, attempts: number, lastStatus: status })
    .where(
      and(
        eq(settlementCallbacks.id, id),
        eq(settlementCallbacks.state, 'waiting'),
        eq(settlementCallbacks.round, round),
        eq(settlementCallbacks.attempts, attempts),
      ),
    )
    .returning({ id: settlementCallbacks.id })
  if (settled.length === 0) return
  const attempt = { callbackId: id, organizationId, number, at, durationMs, status, answer, problem }
  await tx.insert(settlementCallbackAttempts).values(attempt)
  await tx
    .delete(settlementCallbackAttempts)
    .where(and(eq(settlementCallbackAttempts.callbackId, id), lte(settlementCallbackAttempts.number, number - maxLog)))
  if (isGone)
    await tx
      .update(settlements)
      .set({ callbacksStoppedAt: now, version: sql`${settlements.version} + 1` })
      .where(eq(settlements.id, settlementId))
  await publishSettlement(work, tx, { organizationId, settlementId })
  if (delay !== undefined)
    await work.queue.enqueue(tx, deliverCallback, { id, round, organizationId }, { startAfter: delay })
}
