import type { PaymentsCall } from '../wire/call.ts'
import { paymentTasks } from '../schema.ts'

export type TaskKind =
  'expire_session' | 'settle_refund' | 'open_dispute' | 'move_payout' | 'renew_subscription' | 'retry_invoice'

/** Runs the task for the object later, at most once. */
export async function schedule(
  { tx, account, now }: PaymentsCall,
  kind: TaskKind,
  objectId: string,
  afterMs: number,
): Promise<void> {
  await tx.insert(paymentTasks).values({ account, kind, objectId, dueAt: new Date(now.getTime() + afterMs) })
}
