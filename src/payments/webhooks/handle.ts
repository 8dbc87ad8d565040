import { nullFor404 } from '#lib/errors.ts'
import type { JobDependencies } from '#lib/job.ts'
import type { EventOutcome, Webhook } from '#lib/webhook.ts'
import { enqueueMovements } from '../movements/jobs.ts'
import { ignoreLostAccount } from '../provider-account.ts'
import { listLate } from '../subscriptions/provider/late-action.ts'
import { syncSubscription } from '../subscriptions/provider/sync.ts'
import { payerOf } from './account.ts'
import { findSubject, type EventOrigin, type Subject } from './find-subject.ts'
import { ProviderEvent } from './provider-event.ts'
import { syncs } from './subjects.ts'

type StoredEvent = Pick<Parameters<Webhook['handle']>[0], 'raw' | 'eventId' | 'organizationId'>

/** Has the current state of the event’s object read, whatever the event says of it. */
export async function handleEvent(stored: StoredEvent, work: JobDependencies): Promise<EventOutcome> {
  const event = ProviderEvent.parse(JSON.parse(Buffer.from(stored.raw).toString()))
  const { object } = event.data
  const { db } = work.database
  const origin = { organizationId: stored.organizationId ?? null, isOwn: !stored.eventId.startsWith('platform:') }
  const subject = (await findSubject(db, object, origin)) ?? (await findByIntent(work, event, origin))
  const moved = subject?.kind === 'payment' ? null : await noteMovement(work, event, stored)
  if (!subject) return moved ?? (await noteRefund(work, object, origin)) ?? { state: 'ignored' }
  const intentId = object.object === 'payment_intent' ? object.id : object.payment_intent
  await syncs[subject.kind]?.({ ...work, db }, subject.id, intentId ?? undefined).catch(ignoreLostAccount)
  return { organizationId: subject.organizationId }
}

/** Of the account’s own balance, other than by payments. */
const movesBalance = /^(?:payout|topup)\./

/** Has movements booked that the event of an organization’s own account tells of. */
async function noteMovement(
  work: JobDependencies,
  { type, account }: ProviderEvent,
  { eventId, organizationId }: StoredEvent,
): Promise<EventOutcome | null> {
  if (account || !organizationId || eventId.startsWith('platform:')) return null
  const isOfBalance = movesBalance.test(type)
  if (!isOfBalance && type !== 'charge.updated') return null
  await enqueueMovements(work.database.db, work, organizationId)
  return isOfBalance ? { organizationId } : null
}

/** Of a charge of a subscription that began after its checkout was canceled. */
async function noteRefund(
  { database: { db }, ...work }: JobDependencies,
  { object, customer }: ProviderEvent['data']['object'],
  { isOwn }: EventOrigin,
): Promise<EventOutcome | null> {
  if (object !== 'charge' || !customer || isOwn) return null
  const late = await listLate(db, customer)
  for (const { id } of late) await syncSubscription({ ...work, db }, id).catch(ignoreLostAccount)
  const [first] = late
  return first ? { organizationId: first.organizationId } : null
}

const ofPayments = new Set(['charge', 'dispute', 'refund'])

/**
 * A dispute or refund can arrive before the events that would have told us the payment intent. Its metadata names our
 * payment.
 */
async function findByIntent(
  work: JobDependencies,
  { livemode, data: { object } }: ProviderEvent,
  origin: EventOrigin,
): Promise<Subject | null> {
  const id = object.payment_intent
  if (!id || !ofPayments.has(object.object)) return null
  const { db } = work.database
  const owner = origin.isOwn ? origin.organizationId : null
  const payer = await payerOf({ ...work, db }, { organizationId: owner, mode: livemode ? 'live' : 'test' })
  if (!payer) return null
  const intent = await work.gateway.payments.getPaymentIntent({ ...payer, id }).catch(nullFor404)
  return intent && findSubject(db, { ...object, id: undefined, metadata: intent.metadata }, origin)
}
