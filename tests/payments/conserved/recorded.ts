import type { World } from '../../support/world.ts'
import type { Snapshot } from '../../../src/payments/checkout/snapshot.ts'
import { readSnapshot } from '../../../src/payments/checkout/snapshot.ts'
import { readPayment } from '../../../src/payments/checkout/create.ts'
import { cards } from './drafts.ts'
import { coffee, shopOf } from '../shop.ts'

interface RecordedEvent {
  payload: string
  /** The first moment at which it can arrive. */
  moment: number
}

/** What the provider said of one payment at each moment, and the events that it would have sent. */
export interface Recording {
  name: string
  orderId: string
  paymentId: string
  moments: readonly Snapshot[]
  events: readonly RecordedEvent[]
}

interface Recorded {
  /** Sends the form of the provider’s page. */
  pay(number: string): Promise<unknown>
  /** Of the payment intent, at the provider itself. */
  post(path: string, fields?: Record<string, string>): Promise<unknown>
  intentId(): string
  disputeId(): string
  remember(isReached?: (snapshot: Snapshot) => boolean): Promise<void>
}

interface Story {
  name: string
  captureMethod?: 'manual'
  happen(recorded: Recorded): Promise<void>
}

const isSettled = ({ refunds }: Snapshot): boolean => refunds.every(({ status }) => status !== 'pending')

const stories: readonly Story[] = [
  {
    name: 'captured after a decline',
    happen: async ({ pay, remember }) => {
      await pay(cards.declined)
      await remember()
      await pay(cards.good)
      await remember()
    },
  },
  {
    name: 'captured in part, by hand',
    captureMethod: 'manual',
    happen: async ({ pay, post, intentId, remember }) => {
      await pay(cards.good)
      await remember()
      await post(`payment_intents/${intentId()}/capture`, { amount_to_capture: '500' })
      await remember()
    },
  },
  {
    name: 'refunded twice in part',
    happen: async ({ pay, post, intentId, remember }) => {
      await pay(cards.pendingRefund)
      await remember()
      await post('refunds', { payment_intent: intentId(), amount: '200' })
      await remember()
      await remember(isSettled)
      await post('refunds', { payment_intent: intentId(), amount: '100' })
      await remember(isSettled)
    },
  },
  {
    name: 'disputed and won',
    happen: async ({ pay, post, disputeId, remember }) => {
      await pay(cards.disputed)
      await remember(({ disputes }) => disputes.length > 0)
      await post(`disputes/${disputeId()}`, { 'evidence[uncategorized_text]': 'winning_evidence' })
      await remember(({ disputes }) => disputes[0]?.status === 'won')
    },
  },
  {
    name: 'refunded, until the refund failed',
    happen: async ({ pay, post, intentId, remember }) => {
      await pay(cards.failedRefund)
      await remember()
      await post('refunds', { payment_intent: intentId(), amount: '300' })
      await remember()
      await remember(({ refunds }) => refunds[0]?.status === 'failed')
    },
  },
]

/** Of Ada’s shop, whose server gets none of the events. */
export async function recordStories(world: World): Promise<Recording[]> {
  const recordings: Recording[] = []
  for (const story of stories) recordings.push(await record(world, story))
  return recordings
}

async function record(world: World, { name, captureMethod, happen }: Story): Promise<Recording> {
  const { db } = world.database
  const work = { ...world.provided, db, now: () => new Date() }
  const shop = shopOf(world.ada, world.stranger)
  const { id: orderId } = await shop.createOrder(coffee)
  const payment = await shop.createPayment(orderId, captureMethod ? { captureMethod } : {})
  const row = await readPayment(db, payment.id)
  const { organizationId, checkoutSessionId } = row
  const moments: Snapshot[] = []
  const events = new Map<string, RecordedEvent>()
  const remember: Recorded['remember'] = async (isReached = () => true) => {
    for (;;) {
      const snapshot = await readSnapshot(work, row, { settled: new Map(), duplicates: new Set() })
      if (!isReached(snapshot)) {
        await Bun.sleep(30)
        continue
      }
      const { items } = await world.provided.gateway.payments.listEvents({ organizationId, limit: 100 })
      const own = items.filter(({ payload }) => isAbout(payload, [checkoutSessionId, snapshot.intent?.id]))
      for (const { id, payload } of own) if (!events.has(id)) events.set(id, { payload, moment: moments.length })
      moments.push(snapshot)
      return
    }
  }
  const last = () => moments.at(-1)
  await remember()
  await happen({
    pay: (number) => shop.pay(payment, number),
    post: async (path, fields = {}) => {
      const response = await world.stranger.fetch(
        `POST /dev/payments/v1/${path}`,
        new URLSearchParams(fields).toString(),
        { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Bearer sk_test_practice' },
      )
      if (response.status !== 200) throw new Error(`The provider refused ${path}: ${await response.text()}`)
    },
    intentId: () => last()?.intent?.id ?? '',
    disputeId: () => last()?.disputes[0]?.id ?? '',
    remember,
  })
  return { name, orderId, paymentId: payment.id, moments, events: [...events.values()] }
}

const isAbout = (payload: string, ids: readonly (string | null | undefined)[]): boolean =>
  ids.some((id) => typeof id === 'string' && payload.includes(id))
