import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import type { Database } from '#lib/db.ts'
import { forEachSettled } from '#lib/each.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { closePayment } from '../checkout/close.ts'
import { openStatuses } from '../checkout/payment-state.ts'
import { orderPayments } from '../schema.ts'

type PaymentRow = typeof orderPayments.$inferSelect

/** Of one run for one organization: a provider that doesn’t respond must not hold up the others. */
const limits = { batchSize: 100, concurrency: 4, failuresInRow: 10, ms: 5 * 60_000 }

export interface Closing {
  closed: number
  /** What another try can close. */
  errors: unknown[]
  /** Whether each open payment was tried. */
  isComplete: boolean
}

/** Pages, links and reservations. What can’t be closed without a key that is gone isn’t tried again. */
export async function closePayments(work: ErasureWork, organizationId: string): Promise<Closing> {
  const db = work.database.db
  const closing: Closing = { closed: 0, errors: [], isComplete: false }
  const endsAt = Date.now() + limits.ms
  let failuresInRow = 0
  const isOver = () => Date.now() > endsAt || failuresInRow >= limits.failuresInRow
  const close = async (payment: PaymentRow) => {
    if (isOver()) return
    await closePayment({ ...work, db }, payment).then(
      (after) => {
        failuresInRow = 0
        if (!after || !openStatuses.includes(after.status)) closing.closed += 1
        else closing.errors.push(new Error(`Payment ${after.id} remains ${after.status}`))
      },
      (error: unknown) => {
        if (isAccountChanged(error)) return
        failuresInRow += 1
        closing.errors.push(error)
      },
    )
  }
  for await (const batch of openPayments(db, organizationId)) {
    await forEachSettled(batch, close, limits.concurrency)
    if (isOver()) return closing
  }
  return { ...closing, isComplete: true }
}

export async function* openPayments(db: Database, organizationId: string): AsyncGenerator<PaymentRow[]> {
  let last: PaymentRow | undefined
  do {
    const batch = await db
      .select()
      .from(orderPayments)
      .where(
        and(
          eq(orderPayments.organizationId, organizationId),
          inArray(orderPayments.status, [...openStatuses]),
          last && gt(orderPayments.id, last.id),
        ),
      )
      .orderBy(asc(orderPayments.id))
      .limit(limits.batchSize)
    last = batch.at(-1)
    if (last) yield batch
  } while (last)
}
