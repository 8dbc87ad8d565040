import { transact, type Database } from '#lib/db.ts'
import { countStuck, retryFailed } from '#lib/incoming-webhooks/retry.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { counted } from '#lib/text.ts'
import type { SearchWork } from './find-lost.ts'
import { providerEventsKind } from '../notification-kinds.ts'
import { webhookName } from './receive.ts'

/** All attempts of an event span less. */
const roundMs = 3 * 60 * 60 * 1000
/** The last one begins four days after the first. */
const rounds = 6
const limit = 200

/** Has failed events processed again, a few times, and asks people about those whose attempts have all failed. */
export async function retryFailedEvents(work: SearchWork): Promise<void> {
  const now = work.now()
  await retryFailed(work, webhookName, { roundMs, rounds, now, limit })
  await transact(work.db, (tx) => updateActions(tx, now))
}

const prefix = 'payment-events-failed:'

async function updateActions(tx: Database, now: Date): Promise<void> {
  const raised = new Set<string>()
  for (const { organizationId, count } of await countStuck(tx, webhookName, { roundMs, now })) {
    if (organizationId === null) continue
    const cause = `${prefix}${organizationId}`
    raised.add(cause)
    await raiseAction(tx, {
      kind: providerEventsKind,
      organizationId,
      cause,
      title: `${counted(count, 'event')} of the payment provider couldn’t be processed`,
      reason:
        'What they tell of orders and payouts can be missing. They are tried again, less and less often, for a few days.',
      href: '/pay/webhooks?state=failed',
      actions: [
        { label: 'Replay all', method: 'POST', href: '/api/pay/webhooks/replay-failed', style: 'primary' },
        { label: 'See the events', method: 'GET', href: '/pay/webhooks?state=failed' },
      ],
    })
  }
  for (const cause of await listCauses(tx, prefix)) if (!raised.has(cause)) await resolveAction(tx, cause)
}
