import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, type Reply } from '#lib/reply.ts'
import {
  RefundApproval,
  RefundCounts,
  RefundDecline,
  RefundDetails,
  RefundDraft,
  RefundFilter,
  RefundList,
  type RefundStatus,
} from '../contract/refunds.ts'
import { providerProblems } from '../provider-problems.ts'
import { cancelRefund as cancel } from './cancel.ts'
import { checkRefund as check } from './check.ts'
import { approveRefund as approve, declineRefund as decline } from './decide.ts'
import { countRefunds, isCheckable, listRefundRows, readRefundDetails } from './read.ts'
import { reserveRefund } from './reserve.ts'
import { findRefund, refundState } from './rows.ts'
import { sendRefund } from './send.ts'

type RefundCall = Call<unknown, Actor>

const timeout = ({ config }: Pick<RefundCall, 'config'>): number => 4 * config.PAYMENTS_TIMEOUT_MS + 10_000

const toasts: Partial<Record<RefundStatus, string>> = {
  needs_approval: 'Approval requested',
  unknown: 'The provider didn’t respond. We check again.',
}

export const createRefund = operation({
  route: 'POST /api/refunds',
  summary: 'Create a refund',
  permission: 'transactions:refund',
  machine: true,
  creates: true,
  transaction: false,
  timeout,
  input: RefundDraft,
  output: RefundDetails,
  answers: { 201: RefundDetails, 202: RefundDetails },
  problems: { ...providerProblems, order_state: 409, refund_exceeds_captured: 422, too_many_refunds: 409 },
  run: async (call) => {
    const refund = await auditedTransaction(call, (tx) => reserveRefund(tx, call, call.input))
    await sendRefund(call, refund)
    const details = await readRefundDetails(call, refund.id)
    return reply(details.status === 'unknown' ? 202 : 201, details, {
      next: `/pay/orders/${refund.orderId}`,
      toast: toasts[details.status] ?? 'Refund sent',
    })
  },
})

export const listRefunds = operation({
  route: 'GET /api/refunds',
  summary: 'List refunds',
  permission: 'payments:read',
  machine: true,
  input: RefundFilter,
  output: RefundList,
  run: (call) => listRefundRows(call, call.input),
})

export const getRefundCounts = operation({
  route: 'GET /api/refunds/counts',
  summary: 'Get refund counts by status',
  permission: 'payments:read',
  input: RefundFilter.omit({ limit: true, cursor: true }),
  output: RefundCounts,
  run: (call) => countRefunds(call, call.input),
})

export const getRefund = operation({
  route: 'GET /api/refunds/:id',
  summary: 'Get a refund',
  permission: 'payments:read',
  machine: true,
  input: z.object({ id: Id }),
  output: RefundDetails,
  run: (call) => readRefundDetails(call, call.input.id),
})

async function shown(call: RefundCall, id: string, toast: string): Promise<Reply<z.input<typeof RefundDetails>>> {
  const details = await readRefundDetails(call, id)
  return reply(200, details, {
    next: `/pay/refunds/${id}`,
    toast: details.status === 'unknown' ? toasts.unknown : toast,
  })
}

export const approveRefund = operation({
  route: 'POST /api/refunds/:id/approve',
  summary: 'Approve a refund above the ceiling',
  permission: 'transactions:refund',
  transaction: false,
  timeout,
  input: RefundApproval,
  output: RefundDetails,
  problems: {
    ...providerProblems,
    session_required: 403,
    second_person_needed: 403,
    second_factor_needed: 403,
    refund_state: 409,
    order_state: 409,
    too_many_codes: 429,
  },
  run: async (call) => {
    await approve(call, call.input)
    return shown(call, call.input.id, 'Refund approved')
  },
})

export const declineRefund = operation({
  route: 'POST /api/refunds/:id/decline',
  summary: 'Decline a refund above the ceiling',
  permission: 'transactions:refund',
  transaction: false,
  input: RefundDecline,
  output: RefundDetails,
  problems: { refund_state: 409 },
  run: async (call) => {
    await decline(call, call.input)
    return shown(call, call.input.id, 'Refund declined')
  },
})

export const cancelRefund = operation({
  route: 'POST /api/refunds/:id/cancel',
  summary: 'Cancel a refund that isn’t sent yet',
  permission: 'transactions:refund',
  machine: true,
  transaction: false,
  timeout,
  input: z.object({ id: Id }),
  output: RefundDetails,
  problems: { ...providerProblems, refund_state: 409 },
  run: async (call) => {
    await cancel(call, call.input.id)
    return shown(call, call.input.id, 'Refund canceled')
  },
})

export const checkRefund = operation({
  route: 'POST /api/refunds/:id/check',
  summary: 'Check a refund at the provider',
  permission: 'transactions:refund',
  machine: true,
  transaction: false,
  audit: false,
  timeout,
  input: z.object({ id: Id }),
  output: RefundDetails,
  problems: { ...providerProblems, refund_state: 409 },
  run: async (call) => {
    const refund = await findRefund(call.db, organizationOf(call.actor, 'transactions:refund'), call.input.id)
    if (!isCheckable(refund)) throw refundState(refund, 'There is nothing to read of this refund.')
    await check(call, refund)
    return shown(call, call.input.id, 'Refund checked')
  },
})
