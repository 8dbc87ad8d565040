import type { Provided } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { payerOf } from '../provider-account.ts'
import type { orderPayments } from '../schema.ts'

type Client = Provided['gateway']['payments']
type PaymentRow = typeof orderPayments.$inferSelect

export type ProviderSession = Awaited<ReturnType<Client['getCheckoutSession']>>
export type ProviderIntent = Awaited<ReturnType<Client['getPaymentIntent']>>

interface Known {
  /** From an event, for a payment whose page the customer has just used. */
  intentId?: string | undefined
  /** Intents that are booked as payments of their own. */
  duplicates: ReadonlySet<string>
}

/** All with which this payment was tried, as far as one of them can have been paid. */
export async function readIntents(
  client: Client,
  payment: PaymentRow,
  sessions: readonly ProviderSession[],
  { intentId: hinted, duplicates }: Known,
): Promise<ProviderIntent[]> {
  const complete = sessions.filter(({ status }) => status === 'complete').map((each) => each.paymentIntentId)
  const tried = payment.paymentIntentId ?? sessions.find((each) => each.paymentIntentId)?.paymentIntentId
  const ids = new Set([tried, ...complete].filter((id): id is string => typeof id === 'string' && !duplicates.has(id)))
  const isUnseen = hinted !== undefined && !ids.has(hinted) && !duplicates.has(hinted)
  const [named, ...own] = await Promise.all([
    isUnseen ? readNamed(client, payment, hinted) : null,
    ...[...ids].map((id) => client.getPaymentIntent({ ...payerOf(payment), id })),
  ])
  return [...own, ...(named ? [named] : [])].filter((intent) => intent !== null)
}

/** An event can name any payment of the account. */
async function readNamed(client: Client, payment: PaymentRow, named: string) {
  const intent = await client.getPaymentIntent({ ...payerOf(payment), id: named }).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return null
    throw error
  })
  return intent?.metadata['paymentId'] === payment.id ? intent : null
}

const takenStatuses: readonly string[] = ['succeeded', 'requires_capture', 'processing']

/** Whether the customer’s money is taken or held by it. */
const isTaken = ({ status }: ProviderIntent): boolean => takenStatuses.includes(status)

/** The one that counts, and others that took money as well. One that is paid isn’t replaced. */
export function chooseIntent(
  { paymentIntentId }: PaymentRow,
  intents: readonly ProviderIntent[],
): { intent: ProviderIntent | null; extras: ProviderIntent[] } {
  const taken = intents.filter(isTaken)
  const isKnown = ({ id }: ProviderIntent) => id === paymentIntentId
  const intent =
    taken.find(isKnown) ??
    taken.find(({ status }) => status === 'succeeded') ??
    taken[0] ??
    intents.find(isKnown) ??
    intents[0] ??
    null
  return { intent, extras: taken.filter((each) => each !== intent) }
}
