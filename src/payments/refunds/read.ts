import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { RefundStatus, type RefundCounts, type RefundDetails, type RefundFilter } from '../contract/refunds.ts'
import { describeRefund } from '../orders/describe.ts'
import { orders, refunds } from '../schema.ts'
import { approvalOf } from '../second-person.ts'
import { canCancelFor, isPendingAtProvider, isUnsent } from './cancel.ts'
import type { RefundRow } from './rows.ts'

type StoredDetails = z.input<typeof RefundDetails>
type ReadCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'identity'>

const joined = (db: Database) =>
  db
    .select({
      refund: refunds,
      orderNumber: orders.number,
      customer: { email: orders.customerEmail, name: orders.customerName },
    })
    .from(refunds)
    .innerJoin(orders, eq(orders.id, refunds.orderId))

type Rights = (refund: RefundRow) => StoredDetails['can']

const permission = 'transactions:refund'

/** What the caller can do with each of these refunds. */
async function rightsFor({ actor, identity }: ReadCall, rows: readonly RefundRow[]): Promise<Rights> {
  const canRefund = isAllowed(actor, permission, await identity.serviceId('platform-pay'))
  const requestedBy = actor.principal.id
  const isOwnWaiting = rows.some((row) => row.status === 'needs_approval' && row.requestedBy === requestedBy)
  const [own, others] = await Promise.all([
    canRefund && isOwnWaiting ? approvalOf({ actor, identity }, { requestedBy, permission }) : 'not_allowed',
    approvalOf({ actor, identity }, { requestedBy: null, permission }),
  ])
  return (refund) => {
    const approval = refund.requestedBy === requestedBy ? own : others
    const isWaiting = canRefund && refund.status === 'needs_approval'
    return {
      approve: isWaiting && approval !== 'not_allowed',
      confirmAlone: isWaiting && approval === 'alone',
      decline: isWaiting,
      cancel: canRefund && canCancelFor(actor, refund) && (isUnsent(refund) || isPendingAtProvider(refund)),
      check: canRefund && isCheckable(refund),
    }
  }
}

/** A refund that succeeded can still fail. */
export const isCheckable = ({ status }: RefundRow): boolean =>
  status === 'pending' || status === 'unknown' || status === 'succeeded'

/** @throws {Problem} 404 */
export async function readRefundDetails(call: ReadCall, id: string): Promise<StoredDetails> {
  const organizationId = organizationOf(call.actor, 'payments:read')
  const [row] = await joined(call.db).where(and(eq(refunds.id, id), eq(refunds.organizationId, organizationId)))
  if (!row) throw notFound('refund')
  const { refund, ...order } = row
  const can = await rightsFor(call, [refund])
  return { ...describeRefund(refund), ...order, can: can(refund) }
}

type Filter = Omit<RefundFilter, 'limit' | 'cursor'>

const conditionOf = (organizationId: string, { orderId, status, reason, requestedBy }: Filter): SQL | undefined =>
  and(
    eq(refunds.organizationId, organizationId),
    orderId === undefined ? undefined : eq(refunds.orderId, orderId),
    status && eq(refunds.status, status),
    reason && eq(refunds.reason, reason),
    requestedBy === undefined ? undefined : eq(refunds.requestedBy, requestedBy),
  )

export async function listRefundRows(
  call: ReadCall,
  { limit, cursor, ...filter }: RefundFilter,
): Promise<PageOf<StoredDetails>> {
  const slice = byId(refunds.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await joined(call.db)
    .where(and(conditionOf(organizationOf(call.actor, 'payments:read'), filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const can = await rightsFor(
    call,
    rows.map(({ refund }) => refund),
  )
  return slice.pageBy(
    rows.map(({ refund, ...order }) => ({ ...describeRefund(refund), ...order, can: can(refund) })),
    ({ id }) => ({ id }),
  )
}

const maxCount = 1_001

export async function countRefunds({ db, actor }: ReadCall, { status: _, ...filter }: Filter): Promise<RefundCounts> {
  const where = conditionOf(organizationOf(actor, 'payments:read'), filter)
  const counted = await Promise.all(
    RefundStatus.options.map(async (status) => {
      const bounded = db
        .select({ one: sql`1` })
        .from(refunds)
        .where(and(where, eq(refunds.status, status)))
        .limit(maxCount)
        .as('bounded')
      const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(bounded)
      return [status, row?.count ?? 0] as const
    }),
  )
  const all = counted.reduce((sum, [, count]) => sum + count, 0)
  return {
    all: Math.min(maxCount, all),
    byStatus: Object.fromEntries(counted.filter(([, count]) => count > 0)),
  }
}
