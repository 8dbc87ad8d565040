import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { RefundDetails } from '../contract/refunds.ts'
import { describeRefund } from '../orders/describe.ts'
import { isKeyKnown } from '../provider-keys.ts'
import { orderPayments, orders, refunds } from '../schema.ts'
import { approvalOf, personBehind } from '../second-person.ts'
import { readApprovalFacts } from './approval-facts.ts'
import { canCancelFor, isPendingAtProvider, isUnsent } from './cancel.ts'
import { isResolvable } from './resolve.ts'
import type { RefundRow } from './rows.ts'

export type StoredDetails = z.input<typeof RefundDetails>
export type ReadCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'identity' | 'config' | 'now'>

export const joinedRefunds = (db: Database) =>
  db
    .select({
      refund: refunds,
      orderNumber: orders.number,
      customer: { email: orders.customerEmail, name: orders.customerName },
      accountLostAt: orderPayments.accountLostAt,
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))
    .innerJoin(orderPayments, eq(orderPayments.id, refunds.paymentId))

interface JoinedRefund {
  refund: RefundRow
  orderNumber: string
  customer: StoredDetails['customer']
  accountLostAt: Date | null
}

type Rights = (refund: RefundRow) => StoredDetails['can']

const permission = 'transactions:refund'

/** What the caller can do with each of these refunds. */
async function rightsFor({ actor, identity, config, now }: ReadCall, rows: readonly RefundRow[]): Promise<Rights> {
  const canRefund = isAllowed(actor, permission, await identity.serviceId('platform-pay'))
  const requestedBy = actor.principal.id
  const isOwnWaiting = rows.some((row) => row.status === 'needs_approval' && personBehind(row) === requestedBy)
  const [own, others] = await Promise.all([
    canRefund && isOwnWaiting ? approvalOf({ actor, identity }, { requestedBy, permission }) : 'not_allowed',
    approvalOf({ actor, identity }, { requestedBy: null, permission }),
  ])
  return (refund) => {
    const approval = personBehind(refund) === requestedBy ? own : others
    const isWaiting = canRefund && refund.status === 'needs_approval'
    return {
      approve: isWaiting && approval !== 'not_allowed',
      confirmAlone: isWaiting && approval === 'alone',
      decline: isWaiting,
      cancel: canRefund && canCancelFor(actor, refund) && (isUnsent(refund) || isPendingAtProvider(refund)),
      check: canRefund && isCheckable(refund),
      retry: canRefund && isRetryable(refund, now()),
      resolve: canRefund && isResolvable({ config, now }, refund),
    }
  }
}

/** A refund that succeeded can still fail. */
export const isCheckable = ({ status }: RefundRow): boolean =>
  status === 'pending' || status === 'unknown' || status === 'succeeded'

/** While the provider recognizes it, so that it isn’t made twice. */
export const isRetryable = ({ status, sentAt, createdAt }: RefundRow, at: Date): boolean =>
  status === 'unknown' && isKeyKnown(sentAt ?? createdAt, at)

/** @throws {Problem} 404 */
export async function readRefundDetails(call: ReadCall, id: string): Promise<StoredDetails> {
  const organizationId = organizationOf(call.actor, 'payments:read')
  const [row] = await joinedRefunds(call.db).where(and(eq(refunds.id, id), eq(refunds.organizationId, organizationId)))
  if (!row) throw notFound('refund')
  const [described] = await describeRefunds(call, [row])
  if (!described) throw new Error('The refund was not described')
  return described
}

/** With the names of people, what the caller can do, and what an approval decides about. */
export async function describeRefunds(call: ReadCall, rows: readonly JoinedRefund[]): Promise<StoredDetails[]> {
  const stored = rows.map(({ refund }) => refund)
  const [can, approvals, people] = await Promise.all([
    rightsFor(call, stored),
    readApprovalFacts(
      call.db,
      stored.filter(({ status }) => status === 'needs_approval'),
    ),
    call.identity.people([
      ...new Set(stored.flatMap(({ requestedBy, decidedBy }) => [requestedBy ?? [], decidedBy ?? []].flat())),
    ]),
  ])
  const nameOf = (id: string | null): string | null => people.get(id ?? '')?.name ?? null
  return rows.map(({ refund, ...order }) => ({
    ...describeRefund(refund),
    ...order,
    requestedByName: nameOf(refund.requestedBy),
    decidedByName: nameOf(refund.decidedBy),
    approval: approvals.get(refund.id) ?? null,
    can: can(refund),
  }))
}
