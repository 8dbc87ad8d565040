import type { Database } from '#lib/db.ts'
import { movePayout } from './balance/payouts.ts'
import { renewSubscription } from './billing/renew.ts'
import { retryInvoice } from './billing/retry.ts'
import { expireSession } from './checkout/sessions.ts'
import { openDispute } from './payments/disputes.ts'
import { settleRefund } from './payments/refunds.ts'
import type { TaskKind } from './store/tasks.ts'
import type { PaymentsCall } from './wire/call.ts'

type Run = (call: PaymentsCall, objectId: string) => Promise<unknown>

const runs: Record<TaskKind, Run> = {
  expire_session: expireSession,
  move_payout: movePayout,
  open_dispute: openDispute,
  renew_subscription: renewSubscription,
  retry_invoice: retryInvoice,
  settle_refund: settleRefund,
}

/** What happens later by itself. */
export async function runTask(
  tx: Database,
  { account, kind, objectId }: { account: string; kind: string; objectId: string },
  now: Date,
): Promise<void> {
  const [platform = account] = account.split('/')
  const call = { tx, account, platform, now, origin: '', request: { id: null, idempotency_key: null } }
  const run = new Map<string, Run>(Object.entries(runs)).get(kind)
  await run?.(call, objectId)
}
