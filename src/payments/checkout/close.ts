import { eq } from 'drizzle-orm'
import { withAccount } from '../provider-account.ts'
import { orderPayments } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { closeAtProvider, releaseIntent } from './close-at-provider.ts'
import { endUnknown } from './create-at-provider.ts'
import { openStatuses } from './payment-state.ts'
import { syncPayment } from './sync.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/**
 * Makes sure that a payment can’t be paid any more, at the provider first. If it was paid meanwhile, its order is paid
 * afterwards. @returns What it is then @throws {Problem} 502 and 503 while that isn’t certain
 */
export async function closePayment(work: PaymentsWork, { id }: PaymentRow): Promise<PaymentRow | undefined> {
  const read = async () => (await work.db.select().from(orderPayments).where(eq(orderPayments.id, id)))[0]
  const before = await read()
  if (before?.status === 'unknown') await endUnknown(work, await withAccount(work, before))
  const payment = before?.status === 'unknown' ? await read() : before
  if (!payment || !isOpen(payment)) return payment
  await closeAtProvider(work, await withAccount(work, payment))
  await syncPayment(work, id)
  const after = await read()
  // The page of a delayed payment is complete, and can’t be closed: its intent can be canceled.
  if (!after || !isOpen(after)) return after
  await releaseIntent(work, after)
  await syncPayment(work, id)
  return read()
}

const isOpen = ({ status }: PaymentRow): boolean => status !== 'unknown' && openStatuses.includes(status)
