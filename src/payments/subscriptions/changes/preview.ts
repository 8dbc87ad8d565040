import type { z } from 'zod'
import type { SubscriptionPreview, SubscriptionPreviewInput } from '../../contract/subscriptions.ts'
import { monthlyTotal } from '../prices.ts'
import { findSubscription, type SubscriptionRow } from '../rows.ts'
import { quoteChange, readWanted, type QuoteWork } from './quote.ts'

/** For which a preview is valid. */
const validMs = 10 * 60_000

export const validUntilOf = (prorationDate: Date): Date => new Date(prorationDate.getTime() + validMs)

/** @throws {Problem} 404, 409, 422, and of the gateway */
export async function previewChange(
  work: QuoteWork,
  input: SubscriptionPreviewInput,
): Promise<z.input<typeof SubscriptionPreview>> {
  const row = await findSubscription(work.db, input.subscriptionId)
  const wanted = await readWanted(work, row, input)
  const prorationDate = currentDate(row, work.now())
  const { lines, total, amountDue } = await quoteChange(work, row, wanted, prorationDate)
  const { package: name, seats, price } = wanted
  return {
    lines,
    total,
    amountDue,
    subscriptionId: row.id,
    package: name,
    seats,
    unitAmount: price.unitAmount,
    currency: price.currency,
    monthlyTotal: monthlyTotal(price, seats),
    prorationDate,
    validUntil: validUntilOf(prorationDate),
  }
}

/** In whole seconds, as the provider computes, and not before a period that its clock began. */
function currentDate({ currentPeriodStartsAt }: SubscriptionRow, now: Date): Date {
  const seconds = Math.floor(now.getTime() / 1_000) * 1_000
  return new Date(Math.max(seconds, currentPeriodStartsAt?.getTime() ?? 0))
}
