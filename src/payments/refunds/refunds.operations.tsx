import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom, isTarget, parameterOfPage } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { plainText } from '#lib/text.ts'
import { RefundableOrder } from '#views/payments/refunds/new-dialog.tsx'
import { RefundView } from '#views/payments/refunds/refund.tsx'
import { RefundTable } from '#views/payments/refunds/table.tsx'
import { RefundTabs } from '#views/payments/refunds/tabs.tsx'
import { OrderDetails } from '../contract/orders.ts'
import {
  RefundApproval,
  RefundCounts,
  RefundDecision,
  RefundDecline,
  RefundDetails,
  RefundDraft,
  RefundFilter,
  RefundList,
  type RefundStatus,
} from '../contract/refunds.ts'
import { providerProblems } from '../provider-problems.ts'
import { refunds } from '../schema.ts'
import { listUsedCurrencies } from '../used-currencies.ts'
import { cancelRefund as cancel } from './cancel.ts'
import { checkRefund as check, retryRefund as retry } from './check.ts'
import { approveRefund as approve, declineRefund as decline } from './decide.ts'
import { findOrderByNumber, readOrder } from '../orders/read.ts'
import { orderRightsOf } from '../orders/rights.ts'
import { countRefunds, listRefundRows, listWaiting } from './list.ts'
import { isCheckable, isRetryable, readRefundDetails } from './read.ts'
import { resolveRefund as resolve } from './resolve.ts'
import { reserveRefund } from './reserve.ts'
import { tooLate } from './repeatable.ts'
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
      next: comesFrom(call, '/pay/refunds') ? `/pay/refunds/${refund.id}` : `/pay/orders/${refund.orderId}`,
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
  run: async (call) => {
    const [list, waiting, currencies, serviceId] = await Promise.all([
      listRefundRows(call, call.input),
      call.input.cursor === undefined ? listWaiting(call) : [],
      listUsedCurrencies(call.db, refunds, eq(refunds.organizationId, organizationOf(call.actor, 'payments:read'))),
      call.identity.serviceId('platform-pay'),
    ])
    return { ...list, waiting, currencies, can: { create: isAllowed(call.actor, 'transactions:refund', serviceId) } }
  },
  view: (list, { input, actor }) => <RefundTable list={list} query={input} organizationId={actor.organization?.id} />,
})

const Conditions = RefundFilter.omit({ limit: true, cursor: true })

const RefundLine = RefundDetails.omit({ approval: true, can: true })

export const exportRefunds = operation({
  route: 'GET /api/refunds/export',
  summary: 'Export refunds as CSV',
  permission: 'payments:read',
  input: Conditions,
  output: z.null(),
  streams: 'text/csv',
  run: async (call) => csvFile('refunds', RefundLine, (page) => listRefundRows(call, { ...call.input, ...page })),
})

export const getRefundCounts = operation({
  route: 'GET /api/refunds/counts',
  summary: 'Get refund counts by status',
  permission: 'payments:read',
  input: Conditions,
  output: RefundCounts,
  run: (call) => countRefunds(call, call.input),
  view: (counts, { input, actor }) => (
    <RefundTabs counts={counts} filter={input} organizationId={actor.organization?.id} />
  ),
})

export const getRefundableOrder = operation({
  route: 'GET /api/refunds/order',
  summary: 'Get an order to refund by its number',
  permission: 'payments:read',
  input: z.object({ number: plainText(50).trim().min(1, 'Enter the number of the order.') }),
  output: OrderDetails,
  problems: { not_found: 404 },
  run: async (call) => {
    const organizationId = organizationOf(call.actor, 'payments:read')
    const order = await findOrderByNumber(call.db, organizationId, call.input.number)
    if (!order) throw notFound('order')
    return readOrder(call, order.id, await orderRightsOf(call))
  },
  view: (order) => <RefundableOrder order={order} />,
})

export const getRefund = operation({
  route: 'GET /api/refunds/:id',
  summary: 'Get a refund',
  permission: 'payments:read',
  machine: true,
  input: z.object({ id: Id }),
  output: RefundDetails,
  run: (call) => readRefundDetails(call, call.input.id),
  view: (refund, { actor }) => <RefundView refund={refund} organizationId={actor.organization?.id} />,
})

/** What shows the refund on the page that sent the request. */
const viewChange = {
  view: async (refund: RefundDetails, call: Pick<RefundCall, 'actor' | 'ask' | 'request'>) => {
    const organizationId = call.actor.organization?.id
    if (isTarget(call, 'refund')) return <RefundView refund={refund} organizationId={organizationId} />
    const names = ['status', 'reason', 'currency', 'q', 'from', 'to', 'timeZone'] as const
    const given = Conditions.safeParse(Object.fromEntries(names.map((name) => [name, parameterOfPage(call, name)])))
    const query = RefundFilter.parse(given.data ?? {})
    return <RefundTable list={await call.ask(listRefunds, query)} query={query} organizationId={organizationId} />
  },
} as const

async function shown(
  call: RefundCall,
  id: string,
  toast: string,
  unknown = toasts.unknown,
): Promise<Reply<z.input<typeof RefundDetails>>> {
  const details = await readRefundDetails(call, id)
  return reply(200, details, {
    next: `/pay/refunds/${id}`,
    toast: details.status === 'unknown' ? unknown : toast,
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
  ...viewChange,
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
  ...viewChange,
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
  ...viewChange,
})

export const resolveRefund = operation({
  route: 'POST /api/refunds/:id/resolve',
  summary: 'Mark an unknown refund as made or not made',
  permission: 'transactions:refund',
  transaction: false,
  timeout,
  input: RefundDecision,
  output: RefundDetails,
  problems: { ...providerProblems, refund_state: 409 },
  run: async (call) => {
    await resolve(call, call.input)
    return shown(call, call.input.id, 'Outcome saved')
  },
  ...viewChange,
})

export const checkRefund = operation({
  route: 'POST /api/refunds/:id/check',
  summary: 'Check a refund at the provider',
  limit: 'checks',
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
    return shown(call, call.input.id, 'Refund checked', 'Not found at the provider')
  },
  ...viewChange,
})

export const retryRefund = operation({
  route: 'POST /api/refunds/:id/retry',
  summary: 'Send an unknown refund again',
  limit: 'checks',
  permission: 'transactions:refund',
  machine: true,
  transaction: false,
  timeout,
  input: z.object({ id: Id }),
  output: RefundDetails,
  problems: { ...providerProblems, refund_state: 409 },
  run: async (call) => {
    const refund = await findRefund(call.db, organizationOf(call.actor, 'transactions:refund'), call.input.id)
    if (refund.status !== 'unknown') throw refundState(refund, 'The outcome of this refund is known.')
    if (!isRetryable(refund, call.now())) throw refundState(refund, tooLate)
    await retry(call, refund)
    return shown(call, call.input.id, 'Refund sent', 'Not sent, or without a response')
  },
  ...viewChange,
})
