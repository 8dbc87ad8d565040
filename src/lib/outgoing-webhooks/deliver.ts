import { and, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Provided } from '../call.ts'
import type { Database, DatabaseHandle } from '../db.ts'
import { Problem } from '../errors.ts'
import { logFault } from '../log/fault.ts'
import { Id } from '../ids.ts'
import { job } from '../job.ts'
import type { EnqueueOptions } from '../queue/send-options.ts'
import type { Queue } from '../queue.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookMessages } from '../schema.ts'
import type { Clock } from '../time.ts'
import { attemptDelivery, noResponse, type AttemptOutcome } from './attempt.ts'
import { endFailing, raiseDisabled, raiseFailing } from './failing.ts'
import { publishWebhookChange } from './publish-change.ts'
import { secretsOfEndpoint } from './secret.ts'

const [second, minute, hour] = [1, 60, 3_600]

/** Seconds to wait after each failed attempt: ten attempts over about 75 hours. */
export const retryDelays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** Milliseconds for one attempt, and attempts that are kept. */
const bounds = { timeoutMs: 10_000, log: 20 }
const slowMs = 2_000
/** Failed attempts without an action: a short outage is over before them. */
const quietAttempts = 3

const Round = z.object({ id: Id, round: z.int(), organizationId: Id })
type Round = z.output<typeof Round>

interface DeliveryJob {
  name: string
  concurrency: number
  perOrganization: number
  run(call: DeliveryDependencies & { readonly input: Round }, delivery: Delivery): Promise<void>
}

const deliveryJob = ({ name, concurrency, perOrganization, run }: DeliveryJob) =>
  job({
    name,
    input: Round,
    concurrency,
    perTenant: { of: ({ organizationId }) => organizationId, concurrency: perOrganization },
    run: async (call) => {
      const delivery = await readDelivery(call.database.db, call.input)
      if (delivery) await run(call, delivery)
    },
    // Without it a delivery whose job fails for another reason than its endpoint would wait forever.
    onRetriesExhausted: async ({ database: { db }, input }) => {
      const delivery = await readDelivery(db, input)
      if (delivery) await hold(db, delivery)
    },
  })

export const deliverWebhook = deliveryJob({
  name: 'platform.deliver-webhook',
  concurrency: 10,
  perOrganization: 2,
  run: async (call, delivery) =>
    delivery.endpoint.slow
      ? call.queue.enqueue(call.database.db, deliverSlowWebhook, call.input)
      : send(call, delivery),
})

export const deliverSlowWebhook = deliveryJob({
  name: 'platform.deliver-slow-webhook',
  concurrency: 6,
  perOrganization: 1,
  run: send,
})

export const enqueueDelivery = (
  db: Database,
  queue: Queue,
  { slow }: Pick<Delivery['endpoint'], 'slow'>,
  input: Round,
  options?: EnqueueOptions,
): Promise<void> => queue.enqueue(db, slow ? deliverSlowWebhook : deliverWebhook, input, options)

async function send(call: DeliveryDependencies, delivery: Delivery): Promise<void> {
  if (delivery.endpoint.state === 'paused') return call.database.transaction((tx) => holdPaused(tx, call, delivery))
  if (await isSuspended(call, delivery)) return hold(call.database.db, delivery)
  const at = call.now()
  const startedAt = performance.now()
  const outcome = await sendAttempt(call, delivery, at)
  const durationMs = Math.round(performance.now() - startedAt)
  await call.database.transaction((tx) => settle(tx, call, delivery, { ...outcome, at, durationMs }))
}

type DeliveryDependencies = Pick<Provided, 'secrets' | 'outbound' | 'queue' | 'events' | 'identity' | 'log'> & {
  readonly database: DatabaseHandle
  readonly now: Clock
}

/** The delivery, unless it is settled or was replayed since (`round`). */
async function readDelivery(db: Database, { id, round }: Pick<Round, 'id' | 'round'>) {
  const [row] = await db
    .select({ delivery: webhookDeliveries, endpoint: webhookEndpoints, message: webhookMessages })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(
      and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.state, 'waiting'), eq(webhookDeliveries.round, round)),
    )
  return row
}
type Delivery = NonNullable<Awaited<ReturnType<typeof readDelivery>>>

/** Whether its organization is suspended (PLT-38), or identity unavailable. @throws any other error of identity's client */
async function isSuspended({ identity, log }: DeliveryDependencies, { message, endpoint }: Delivery): Promise<boolean> {
  try {
    return await identity.isSuspended(message.organizationId)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 503) throw error
    logFault(log, 'webhook delivery held', error, { webhook: endpoint.id })
    return true
  }
}

/** Holds a delivery of a paused webhook, unless it was enabled since: then the held ones are enqueued already. */
async function holdPaused(tx: Database, { queue }: DeliveryDependencies, held: Delivery): Promise<void> {
  const { delivery, endpoint, message } = held
  const [locked] = await tx
    .select({ state: webhookEndpoints.state })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpoint.id))
    .for('share')
  if (locked?.state === 'paused') return hold(tx, held)
  await enqueueDelivery(tx, queue, endpoint, {
    id: delivery.id,
    round: delivery.round,
    organizationId: message.organizationId,
  })
}

const hold = async (db: Database, { delivery }: Delivery): Promise<void> =>
  void (await db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: null })
    .where(and(unchanged(delivery), isNotNull(webhookDeliveries.nextAttemptAt))))

const unchanged = ({ id, round, attempts }: Delivery['delivery']) =>
  and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.state, 'waiting'),
    eq(webhookDeliveries.round, round),
    eq(webhookDeliveries.attempts, attempts),
  )

async function sendAttempt(
  { secrets, outbound }: DeliveryDependencies,
  { endpoint, message }: Delivery,
  at: Date,
): Promise<AttemptOutcome> {
  if (endpoint.state === 'disabled')
    return noResponse('The webhook was disabled because its URL responded with 410 Gone.')
  const { id, body } = message
  const valid = secretsOfEndpoint(secrets, endpoint, at)
  return attemptDelivery(outbound, { url: endpoint.url, id, body, secrets: valid, at, timeoutMs: bounds.timeoutMs })
}

async function settle(
  tx: Database,
  work: DeliveryDependencies,
  { delivery, endpoint, message }: Delivery,
  { status, answer, problem, at, durationMs }: AttemptOutcome & { at: Date; durationMs: number },
): Promise<void> {
  const { queue, now } = work
  const delivered = status !== null && status >= 200 && status < 300
  // A refused connection says nothing about how long a response takes.
  const isSlow = durationMs >= slowMs || (status === null && endpoint.slow)
  const isUpdated = (status === 410 || isSlow !== endpoint.slow) && (await isStillAt(tx, endpoint))
  const slow = isUpdated ? isSlow : endpoint.slow
  const gone = status === 410 && isUpdated
  const final = delivered || gone || endpoint.state === 'disabled'
  const delay = final ? undefined : retryDelays[delivery.tries]
  const next =
    delay === undefined
      ? { state: delivered ? ('delivered' as const) : ('failed' as const), nextAttemptAt: null, settledAt: now() }
      : { nextAttemptAt: new Date(now().getTime() + delay * 1000) }
  const number = delivery.attempts + 1
  const settled = await tx
    .update(webhookDeliveries)
    .set({ ...next, tries: delivery.tries + 1, attempts: number, lastStatus: status })
    .where(unchanged(delivery))
    .returning({ id: webhookDeliveries.id })
  if (settled.length === 0) return
  await tx.insert(webhookAttempts).values({ deliveryId: delivery.id, number, at, durationMs, status, answer, problem })
  const old = and(eq(webhookAttempts.deliveryId, delivery.id), lte(webhookAttempts.number, number - bounds.log))
  await tx.delete(webhookAttempts).where(old)
  if (isUpdated)
    await tx
      .update(webhookEndpoints)
      .set({
        slow,
        ...(gone && { state: 'disabled', version: sql`${webhookEndpoints.version} + 1`, updatedAt: now() }),
      })
      .where(eq(webhookEndpoints.id, endpoint.id))
  if (delivered) await endFailing(tx, endpoint.id)
  else if (gone) await raiseDisabled(tx, endpoint)
  else if (endpoint.state === 'enabled' && number > quietAttempts)
    await raiseFailing(tx, endpoint, {
      response: status === null ? (problem ?? 'There was no response.') : `Its URL responded with ${status}.`,
      isLost: delay === undefined,
    })
  const nextJob = { id: delivery.id, round: delivery.round, organizationId: message.organizationId }
  await publishWebhookChange(work, tx, endpoint.id)
  if (delay !== undefined) await enqueueDelivery(tx, queue, { slow }, nextJob, { startAfter: delay })
}

/** A response of an old URL doesn't count. Locks the endpoint before its delivery, as a deletion does. */
async function isStillAt(tx: Database, { id, url }: Delivery['endpoint']): Promise<boolean> {
  const [row] = await tx
    .select({ url: webhookEndpoints.url })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
    .for('no key update')
  return row?.url === url
}
