import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { requirePerson } from '#lib/authorize.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { approvalOf, personBehind, requireApprover } from '../second-person.ts'
import { findBatch, lockBatch, type BatchOwner } from './access.ts'
import { endApproval } from './actions.ts'
import { changeBatch, failBatch } from './announce.ts'
import type { BatchRow } from './rows.ts'
import { enqueueStart } from './start.ts'

type Deciding = Call<unknown, Actor>

/** A person also requested what their API key or app did; what a service requested can be approved by any person. */
export const requestOf = ({ requestedBy, responsibleId, requesterKind }: BatchRow) => ({
  requestedBy: requesterKind === 'service' ? null : personBehind({ requestedBy, responsibleId }),
  permission: 'settlements:write' as const,
})

/** @throws {Problem} 403 for its requester, 409 `batch_state` when it was decided before */
export async function approveBatch(
  call: Deciding,
  owner: BatchOwner,
  { batchId, code }: { batchId: string; code?: string | undefined },
): Promise<void> {
  const seen = await findBatch(call.db, owner, batchId)
  requireUndecided(seen)
  const { isAlone } = await requireApprover(call, { ...requestOf(seen), code, next: `/pay/settlements/${batchId}` })
  await decide(call, owner, batchId, async (tx, batch) => {
    const at = call.now()
    const approval = { decidedBy: call.actor.principal.id, decidedAt: at, confirmedAlone: isAlone ? at : null }
    const approved = await changeBatch(tx, call, batch, { ...approval, status: 'accepted', dueAt: at })
    await enqueueStart(tx, call, approved)
    return approved
  })
}

/** Nothing is paid. @throws {Problem} as `approveBatch` */
export async function declineBatch(call: Deciding, owner: BatchOwner, batchId: string): Promise<void> {
  const seen = await findBatch(call.db, owner, batchId)
  requireUndecided(seen)
  requirePerson(call.actor)
  if ((await approvalOf(call, requestOf(seen))) === 'not_allowed') throw secondPersonNeeded()
  await decide(call, owner, batchId, (tx, batch) =>
    failBatch(tx, call, batch, {
      failure: 'declined',
      decidedBy: call.actor.principal.id,
      decidedAt: call.now(),
    }),
  )
}

const secondPersonNeeded = (): Problem =>
  new Problem(
    403,
    'second_person_needed',
    'You requested it, so another person with the permission “settlements:write” has to decide.',
  )

const decide = (
  call: Deciding,
  owner: BatchOwner,
  batchId: string,
  apply: (tx: Database, batch: BatchRow) => Promise<BatchRow>,
): Promise<void> =>
  auditedTransaction(call, async (tx) => {
    const batch = await lockBatch(tx, owner, batchId)
    requireUndecided(batch)
    const after = await apply(tx, batch)
    await endApproval(tx, batch)
    recordChange(tx, {
      object: 'settlement',
      id: batch.id,
      before: { status: batch.status },
      after: { status: after.status, confirmedAlone: after.confirmedAlone },
    })
  })

function requireUndecided({ status, batchId }: BatchRow): void {
  if (status === 'needs_approval') return
  throw conflict('batch_state', `Batch ${batchId} no longer waits for approval: it is ${status}.`, {
    state: status,
  })
}
