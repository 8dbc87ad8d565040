import { and, eq } from 'drizzle-orm'
import { writeOutcomeOf } from '#gateway'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { payerOf, withAccount } from '../provider-account.ts'
import { disputes } from '../schema.ts'
import { findPayment } from './capture.ts'
import { syncPayment } from './sync.ts'

export type DisputeRow = typeof disputes.$inferSelect
type DisputeCall = Call<unknown, Actor>

/** @throws {Problem} 404 for another organization’s */
export async function findDispute(db: Database, organizationId: string, id: string): Promise<DisputeRow> {
  const [row] = await db
    .select()
    .from(disputes)
    .where(and(eq(disputes.id, id), eq(disputes.organizationId, organizationId)))
  if (!row) throw notFound('dispute')
  return row
}

/** The money stays with the customer. @throws {Problem} 404, 409 `dispute_state`, and the gateway’s */
export const acceptDispute = (call: DisputeCall, id: string): Promise<DisputeRow> =>
  change(call, id, { answer: 'accepted' }, (dispute) => call.gateway.payments.closeDispute(dispute))

/** Goes to the bank, which decides. @throws {Problem} 404, 409 `dispute_state`, and the gateway’s */
export const submitEvidence = (call: DisputeCall, id: string, explanation: string): Promise<DisputeRow> =>
  change(call, id, { answer: 'evidence' }, (dispute) =>
    call.gateway.payments.submitDisputeEvidence({
      ...dispute,
      evidence: { uncategorizedText: explanation },
      submit: true,
    }),
  )

interface AtProvider {
  organizationId: string
  accountKey: string
  id: string
  idempotencyKey: string
}

async function change(
  call: DisputeCall,
  id: string,
  after: { answer: string },
  send: (dispute: AtProvider) => Promise<unknown>,
): Promise<DisputeRow> {
  const organizationId = organizationOf(call.actor, 'transactions:write')
  const dispute = await findDispute(call.db, organizationId, id)
  if (dispute.status !== 'open') throw isOver(dispute)
  const payment = await withAccount(call, await findPayment(call.db, organizationId, dispute.paymentId))
  const known = { ...payerOf(payment), id: dispute.providerDisputeId }
  await auditedTransaction(call, async (tx) => recordChange(tx, { object: 'dispute', id, after }))
  try {
    // The provider takes one answer, whatever the keys of the requests.
    await send({ ...known, idempotencyKey: newId() })
  } catch (error) {
    // What was done is read either way; an unknown outcome stays one for the caller.
    await syncPayment(call, payment.id)
    if (writeOutcomeOf(error) !== 'refused') throw error
    const current = await findDispute(call.db, organizationId, id)
    if (current.status !== 'open') throw isOver(current)
    const { status } = await call.gateway.payments.getDispute(known)
    throw status.endsWith('under_review') ? isWithBank(current) : error
  }
  await syncPayment(call, payment.id)
  return findDispute(call.db, organizationId, id)
}

const isWithBank = ({ status }: DisputeRow) =>
  conflict('dispute_state', 'The bank has the evidence, and decides. The dispute can’t be answered again.', {
    state: status,
  })

const isOver = ({ status }: DisputeRow) =>
  conflict('dispute_state', 'The dispute is over. It can no longer be answered.', { state: status })
