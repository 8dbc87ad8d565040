import type { Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { Provided } from '#lib/call.ts'
import type { Clock } from '#lib/time.ts'
import { settlementCallbacks } from '../../schema.ts'
import type { BatchRow, ChangedItem } from '../rows.ts'
import { deliverCallback } from './deliver.ts'

type Adding = Pick<Provided, 'queue'> & { readonly now: Clock }

/** On the transaction of the change. The batch has its sequence already, and is locked. */
export async function addCallback(
  tx: Database,
  { queue, now }: Adding,
  { id: settlementId, organizationId, batchId, lastSequence: sequence, status, callbacksStoppedAt }: BatchRow,
  items: readonly ChangedItem[],
): Promise<void> {
  const at = now()
  const id = newId()
  const body = JSON.stringify({
    type: 'settlement.updated',
    timestamp: at.toISOString(),
    data: {
      batchId,
      sequence,
      status,
      items: items.map(({ reference, status: state, failureCode, reversedAmount }) => ({
        reference,
        status: state,
        ...(failureCode !== null && { failureCode }),
        ...(reversedAmount > 0n && { returnedAmount: Number(reversedAmount) }),
      })),
    },
  })
  const isStopped = callbacksStoppedAt !== null
  await tx.insert(settlementCallbacks).values({
    id,
    organizationId,
    settlementId,
    sequence,
    body,
    createdAt: at,
    ...(isStopped ? { state: 'failed', settledAt: at } : { state: 'waiting', nextAttemptAt: at }),
  })
  if (!isStopped) await queue.enqueue(tx, deliverCallback, { id, round: 1, organizationId })
}
