import type { Provided } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { orderPayments } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'

type Client = Provided['gateway']['payments']
type PaymentRow = typeof orderPayments.$inferSelect

type ProviderSession = Awaited<ReturnType<Client['getCheckoutSession']>>
export type ProviderIntent = Awaited<ReturnType<Client['getPaymentIntent']>>
type ProviderCharge = Awaited<ReturnType<Client['getCharge']>>
export type ProviderRefund = Awaited<ReturnType<Client['getRefund']>>
export type ProviderDispute = Awaited<ReturnType<Client['getDispute']>>
export type Movement = Awaited<ReturnType<Client['getBalanceTransaction']>>

/** Everything that the provider knows of a payment, read after the row’s `version`. */
export interface Snapshot {
  /** Whether it can’t be paid any more. */
  closed: 'expired' | 'cancelled' | null
  session: ProviderSession | null
  intent: ProviderIntent | null
  charge: ProviderCharge | null
  refunds: readonly ProviderRefund[]
  disputes: readonly ProviderDispute[]
  /** Of its balance, by the object that caused them. */
  movements: ReadonlyMap<string, readonly Movement[]>
}

interface Known {
  /** From an event, for a payment whose page the customer has just used. */
  intentId?: string | undefined
  /** Refunds and disputes that have ended and are booked, by the provider’s ID with the status that was applied. */
  settled: ReadonlyMap<string, string>
}

/** @throws {Problem} of the gateway */
export async function readSnapshot(work: PaymentsWork, payment: PaymentRow, known: Known): Promise<Snapshot> {
  const client = work.gateway.payments
  const { organizationId } = payment
  const { session, closed: closedPage } = await readPage(client, payment)
  const intent = await readIntent(client, payment, session, known.intentId)
  const closed = closedPage ?? (isDead(session, intent) ? 'cancelled' : null)
  const chargeId = intent?.latestChargeId ?? null
  const none = {
    closed,
    session,
    intent,
    charge: null,
    refunds: [],
    disputes: [],
    movements: new Map<string, Movement[]>(),
  }
  if (!intent || chargeId === null) return none
  const hasMoney = intent.amountReceived > 0
  const [charge, refunds, disputes] = await Promise.all([
    payment.chargeId === chargeId && payment.cardLastFour !== null
      ? null
      : client.getCharge({ organizationId, id: chargeId }),
    hasMoney
      ? listAll((cursor) => client.listRefunds({ organizationId, paymentIntent: intent.id, ...page(cursor) }))
      : [],
    hasMoney
      ? listAll((cursor) => client.listDisputes({ organizationId, paymentIntent: intent.id, ...page(cursor) }))
      : [],
  ])
  const open = [...refunds, ...disputes].filter(({ id, status }) => known.settled.get(id) !== status)
  const sources = hasMoney ? [chargeId, ...open.map(({ id }) => id)] : []
  const movements = await Promise.all(
    sources.map(async (source) => {
      const found = await listAll((cursor) =>
        client.listBalanceTransactions({ organizationId, source, ...page(cursor) }),
      )
      return [source, found] as const
    }),
  )
  return { closed, session, intent, charge, refunds, disputes, movements: new Map(movements) }
}

/** A delayed payment that failed leaves a page that is complete: it can’t be used again. */
const isDead = (session: ProviderSession | null, intent: ProviderIntent | null): boolean =>
  intent?.status === 'canceled' || (session?.status === 'complete' && intent?.status === 'requires_payment_method')

type PageState = Pick<Snapshot, 'closed' | 'session'>

/** The page to pay on. A link has one for each visit. */
async function readPage(client: Client, payment: PaymentRow): Promise<PageState> {
  const { organizationId, checkoutSessionId, paymentLinkId } = payment
  if (checkoutSessionId !== null) {
    const session = await client.getCheckoutSession({ organizationId, id: checkoutSessionId })
    return { session, closed: session.status === 'expired' ? 'expired' : null }
  }
  if (paymentLinkId === null) return { session: null, closed: null }
  const [link, items] = await Promise.all([
    client.getPaymentLink({ organizationId, id: paymentLinkId }),
    listAll((cursor) => client.listCheckoutSessions({ organizationId, paymentLink: paymentLinkId, ...page(cursor) })),
  ])
  const isOpen = link.active || items.some(({ status }) => status === 'open')
  return {
    // Once it is known which visit paid, another one doesn’t replace it.
    session:
      items.find(({ paymentIntentId }) => paymentIntentId !== null && paymentIntentId === payment.paymentIntentId) ??
      items.find(({ status }) => status === 'complete') ??
      items.find((each) => each.paymentIntentId) ??
      null,
    closed: isOpen ? null : 'cancelled',
  }
}

async function readIntent(
  client: Client,
  payment: PaymentRow,
  session: ProviderSession | null,
  hinted: string | undefined,
): Promise<ProviderIntent | null> {
  const { organizationId } = payment
  const id = session?.paymentIntentId ?? payment.paymentIntentId ?? hinted
  if (!id) return null
  const intent = await client.getPaymentIntent({ organizationId, id }).catch((error: unknown) => {
    if (id === hinted && error instanceof Problem && error.status === 404) return null
    throw error
  })
  // An event can name any payment of the account.
  return intent && (id !== hinted || intent.metadata['paymentId'] === payment.id) ? intent : null
}

const page = (cursor: string | null) => ({ limit: 100, ...(cursor !== null && { cursor }) })

const maxPages = 20

async function listAll<Item>(
  list: (cursor: string | null) => Promise<{ items: readonly Item[]; nextCursor: string | null }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const found: { items: readonly Item[]; nextCursor: string | null } = await list(cursor)
    items.push(...found.items)
    cursor = found.nextCursor
    if (cursor === null) return items
  }
  throw new Error(`A list of the provider has more than ${maxPages} pages`)
}
