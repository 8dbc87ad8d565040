import type { PaymentsWork } from '../../work.ts'
import { newId } from '#lib/ids.ts'
import { conflict, invalid } from '#lib/errors.ts'
import type { Call } from '#lib/call.ts'
import type { Package } from '../../contract/subscriptions.ts'
import { fromProviderUnits } from '../../provider-units.ts'
import { currentPrice, ensureProviderPrice, readPrice } from '../prices.ts'
import { payerOf, providerIdOf, wrongState, type PriceRow, type SubscriptionRow } from '../rows.ts'

export interface Wanted {
  package: Package
  seats: number
  price: PriceRow
}

export type QuoteWork = PaymentsWork & Pick<Call, 'identity'>

interface Change {
  package?: Package | undefined
  seats?: number | undefined
}

/**
 * What a change leads to. Who keeps the package keeps its price. @throws {Problem} 409 for a subscription that can’t be
 * changed now, and for fewer seats than are used; 422 when nothing changes
 */
export async function readWanted(work: QuoteWork, row: SubscriptionRow, change: Change): Promise<Wanted> {
  if (row.status !== 'active' && row.status !== 'trialing')
    throw wrongState(row, 'Only an active subscription can be changed. Pay its open invoice first.')
  const { package: name = row.package, seats = row.seats } = change
  if (name === row.package && seats === row.seats)
    throw invalid([{ path: 'seats', message: 'Choose another number of seats, or another package.' }])
  if (seats < row.seats) await requireUnused(work, row.organizationId, seats)
  const own = await readPrice(work.db, row.priceId)
  const price =
    name === row.package ? own : await currentPrice(work.db, { package: name, currency: own.currency }, work.now())
  return { package: name, seats, price }
}

/** @throws {Problem} 409 `seats_in_use` */
export async function requireUnused(
  { identity }: Pick<Call, 'identity'>,
  organizationId: string,
  seats: number,
): Promise<void> {
  const used = await identity.usedSeats(organizationId)
  if (seats < used) throw conflict('seats_in_use', `${used} seats are in use. Remove members first.`, { used })
}

export interface Quote {
  lines: { description: string | null; amount: number }[]
  total: number
  amountDue: bigint
  /** In a trial. */
  isFree: boolean
}

/** What is charged for the rest of the period, with the same time always the same. @throws {Problem} of the gateway */
export async function quoteChange(
  work: QuoteWork,
  row: SubscriptionRow,
  { price, seats }: Wanted,
  prorationDate: Date,
): Promise<Quote> {
  const { payments } = work.gateway
  const payer = payerOf(row)
  const subscription = providerIdOf(row)
  const [providerPrice, found] = await Promise.all([
    ensureProviderPrice(work, row, price),
    payments.getSubscription({ ...payer, id: subscription }),
  ])
  // Not by our row: the trial can have ended at the provider since.
  if (found.status === 'trialing') return { lines: [], total: 0, amountDue: 0n, isFree: true }
  const [item] = found.items
  if (!item) throw new Error(`The subscription ${row.id} has no item at the provider`)
  const { currency, total, amountDue, lines } = await payments.previewInvoice({
    ...payer,
    idempotencyKey: newId(),
    subscription,
    subscriptionDetails: {
      items: [{ id: item.id, price: providerPrice, quantity: seats }],
      prorationBehavior: 'always_invoice',
      prorationDate: prorationDate.toISOString(),
    },
  })
  return {
    lines: lines.map(({ description, amount }) => ({
      description,
      amount: Number(fromProviderUnits(amount, currency)),
    })),
    total: Number(fromProviderUnits(total, currency)),
    amountDue: fromProviderUnits(amountDue, currency),
    isFree: false,
  }
}
