import { eq } from 'drizzle-orm'
import { listAll, pageAt } from '../checkout/list-all.ts'
import { readPayment } from '../checkout/create.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { isKeyKnown } from '../provider-keys.ts'
import { refunds } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import type { RefundRow } from './rows.ts'

/** The provider’s clock can be behind ours. */
const clockMs = 5 * 60_000

const hasFailed = (status: string | null): boolean => status === 'failed' || status === 'canceled'

export const tooLate =
  'It was sent more than 23 hours ago, so the payment provider wouldn’t recognize it if it were sent again.'

/**
 * Why a refund that isn’t at the provider can’t be sent again without the risk that the customer gets it twice; null
 * when it can be. @throws {Problem} of the gateway
 */
export async function whyNotRepeated(work: PaymentsWork, refund: RefundRow): Promise<string | null> {
  const { sentAt, createdAt } = refund
  if (!isKeyKnown(sentAt ?? createdAt, work.now())) return tooLate
  const other = await findOther(work, refund, new Date((sentAt ?? createdAt).getTime() - clockMs))
  return other === null
    ? null
    : `The payment was also refunded at the payment provider itself (${other}), maybe instead.`
}

/** A refund of the same payment since then that was made at the provider itself. */
async function findOther(work: PaymentsWork, { paymentId }: RefundRow, since: Date): Promise<string | null> {
  const payment = await withAccount(work, await readPayment(work.db, paymentId))
  const { paymentIntentId } = payment
  if (paymentIntentId === null) return null
  const list = { ...payerOf(payment), paymentIntent: paymentIntentId }
  const found = await listAll((cursor) => work.gateway.payments.listRefunds({ ...list, ...pageAt(cursor) }))
  const own = await work.db.select({ id: refunds.id }).from(refunds).where(eq(refunds.paymentId, paymentId))
  const ids = new Set(own.map(({ id }) => id))
  const other = found.find(
    ({ status, createdAt, metadata }) =>
      !hasFailed(status) && createdAt >= since && !ids.has(metadata['refundId'] ?? ''),
  )
  return other?.id ?? null
}
