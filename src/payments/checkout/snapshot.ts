import type { Provided } from '#lib/call.ts'
import { payerOf } from '../provider-account.ts'
import type { orderPayments } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { listAll, pageAt } from './list-all.ts'
import { chooseIntent, readIntents, type ProviderIntent, type ProviderSession } from './provider-intents.ts'

type Client = Provided['gateway']['payments']
type PaymentRow = typeof orderPayments.$inferSelect

type ProviderCharge = Awaited<ReturnType<Client['getCharge']>>
export type ProviderRefund = Awaited<ReturnType<Client['getRefund']>>
export type ProviderDispute = Awaited<ReturnType<Client['getDispute']>>
export type Movement = Awaited<ReturnType<Client['getBalanceTransaction']>>

/** Everything that the provider knows of a payment, read after the row’s `version`. */
export interface Snapshot {
  /** Whether it can’t be paid any more. */
  closed: 'expired' | 'cancelled' | null
  session: ProviderSession | null
  /** Whether a page of its link can still be paid. */
  hasOpenPages: boolean
  intent: ProviderIntent | null
  /** Of other visitors of its link who paid as well. */
  extras: readonly { intent: ProviderIntent; sessionId: string | null }[]
  charge: ProviderCharge | null
  refunds: readonly ProviderRefund[]
  disputes: readonly ProviderDispute[]
  /** Of its balance, by the object that caused them. */
  movements: ReadonlyMap<string, readonly Movement[]>
}

interface Known {
  /** From an event, for a payment whose page the customer has just used. */
  intentId?: string | undefined
  /** Intents that are booked as payments of their own. */
  duplicates: ReadonlySet<string>
  /** Refunds and disputes that have ended and are booked, by the provider’s ID with the status that was applied. */
  settled: ReadonlyMap<string, string>
}

/** @throws {Problem} of the gateway */
export async function readSnapshot(work: PaymentsWork, payment: PaymentRow, known: Known): Promise<Snapshot> {
  const client = work.gateway.payments
  const payer = payerOf(payment)
  const { sessions, closed: closedPage, hasOpenPages } = await readPages(client, payment)
  const { intent, extras } = chooseIntent(payment, await readIntents(client, payment, sessions, known))
  const sessionOf = (id: string | undefined) => sessions.find((each) => id && each.paymentIntentId === id) ?? null
  const session = payment.paymentLinkId === null ? (sessions[0] ?? null) : sessionOf(intent?.id)
  const closed = closedPage ?? (isDead(session, intent) && !hasOpenPages ? 'cancelled' : null)
  const chargeId = intent?.latestChargeId ?? null
  const page = {
    closed,
    session,
    hasOpenPages,
    extras: extras.map((each) => ({ intent: each, sessionId: sessionOf(each.id)?.id ?? null })),
  }
  const none = { ...page, intent, charge: null, refunds: [], disputes: [], movements: new Map<string, Movement[]>() }
  if (!intent || chargeId === null) return none
  const hasMoney = intent.amountReceived > 0
  const [charge, refunds, disputes] = await Promise.all([
    payment.chargeId === chargeId && payment.cardLastFour !== null
      ? null
      : client.getCharge({ ...payer, id: chargeId }),
    hasMoney ? listAll((cursor) => client.listRefunds({ ...payer, paymentIntent: intent.id, ...pageAt(cursor) })) : [],
    hasMoney ? listAll((cursor) => client.listDisputes({ ...payer, paymentIntent: intent.id, ...pageAt(cursor) })) : [],
  ])
  const open = [...refunds, ...disputes].filter(({ id, status }) => known.settled.get(id) !== status)
  const sources = hasMoney ? [chargeId, ...open.map(({ id }) => id)] : []
  const movements = await Promise.all(
    sources.map(async (source) => {
      const found = await listAll((cursor) => client.listBalanceTransactions({ ...payer, source, ...pageAt(cursor) }))
      return [source, found] as const
    }),
  )
  return { ...page, intent, charge, refunds, disputes, movements: new Map(movements) }
}

/** A delayed payment that failed leaves a page that is complete: it can’t be used again. */
const isDead = (session: ProviderSession | null, intent: ProviderIntent | null): boolean =>
  intent?.status === 'canceled' || (session?.status === 'complete' && intent?.status === 'requires_payment_method')

interface Pages extends Pick<Snapshot, 'closed' | 'hasOpenPages'> {
  sessions: readonly ProviderSession[]
}

/** The pages to pay on: a link has one for each visit. */
async function readPages(client: Client, payment: PaymentRow): Promise<Pages> {
  const { checkoutSessionId, paymentLinkId } = payment
  const payer = payerOf(payment)
  if (checkoutSessionId !== null) {
    const session = await client.getCheckoutSession({ ...payer, id: checkoutSessionId })
    return { sessions: [session], closed: session.status === 'expired' ? 'expired' : null, hasOpenPages: false }
  }
  if (paymentLinkId === null) return { sessions: [], closed: null, hasOpenPages: false }
  const visits = { ...payer, paymentLink: paymentLinkId }
  const [link, complete, open] = await Promise.all([
    client.getPaymentLink({ ...payer, id: paymentLinkId }),
    listAll((cursor) => client.listCheckoutSessions({ ...visits, status: 'complete', ...pageAt(cursor) })),
    // There can be any number of them. What is paid is complete.
    client.listCheckoutSessions({ ...visits, status: 'open', limit: 100 }),
  ])
  const hasOpenPages = link.active || open.items.length > 0
  return { sessions: [...complete, ...open.items], closed: hasOpenPages ? null : 'cancelled', hasOpenPages }
}
