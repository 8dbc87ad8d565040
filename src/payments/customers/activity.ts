import { and, eq, isNotNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { auditLog } from '#lib/schema.ts'
import { Instant } from '#lib/time.ts'
import type { CustomerActivityFilter, CustomerActivityList } from '../contract/customer-activity.ts'
import { invoices, orderEvents, orders } from '../schema.ts'
import { findCustomer } from './read.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>
type Entry = Omit<z.input<typeof CustomerActivityList>['items'][number], 'byName' | 'at'> & { at: Date }

interface Wanted {
  organizationId: string
  customerId: string
  limit: number
  cursor?: string | undefined
}

const orderEventsInTime = keyset({ at: [orderEvents.at, Instant], id: [orderEvents.id, Id] }, 'desc')
const invoicesInTime = keyset({ at: [invoices.issuedAt, Instant], id: [invoices.id, Id] }, 'desc')
const changesInTime = keyset({ at: [auditLog.at, Instant], id: [auditLog.id, Id] }, 'desc')

/**
 * What happened with a customer, newest first: events of its orders, and, with the permissions for them, issued invoices
 * and changes. @throws {Problem} 404
 */
export async function listActivity(
  { db, actor, identity }: ReadCall,
  { id, ...page }: z.output<typeof CustomerActivityFilter>,
): Promise<z.input<typeof CustomerActivityList>> {
  const organizationId = organizationOf(actor, 'customers:read')
  const { id: customerId } = await findCustomer(db, organizationId, id)
  const serviceId = await identity.serviceId('platform-pay')
  const wanted = { organizationId, customerId, ...page }
  const found = await Promise.all([
    readOrderEvents(db, wanted),
    isAllowed(actor, 'invoices:read', serviceId) ? readInvoices(db, wanted) : [],
    isAllowed(actor, 'audit:read', serviceId) ? readChanges(db, wanted) : [],
  ])
  const inTime = found.flat().toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
  const slice = orderEventsInTime.slice(sliceOf(page))
  const { items, nextCursor } = slice.pageBy(inTime, ({ at, id: last }) => ({ at, id: last }))
  const people = await identity.people([...new Set(items.flatMap(({ by }) => by ?? []))])
  return {
    customerId,
    items: items.map((entry) => ({ ...entry, byName: people.get(entry.by ?? '')?.name ?? null })),
    nextCursor,
  }
}

const sliceOf = ({ limit, cursor }: Pick<Wanted, 'limit' | 'cursor'>) => ({
  limit,
  ...(cursor !== undefined && { cursor }),
})

async function readOrderEvents(db: Database, wanted: Wanted): Promise<Entry[]> {
  const slice = orderEventsInTime.slice(sliceOf(wanted))
  const rows = await db
    .select({ event: orderEvents, number: orders.number, currency: orders.currency })
    .from(orderEvents)
    .innerJoin(orders, eq(orders.id, orderEvents.orderId))
    .where(and(eq(orders.customerId, wanted.customerId), eq(orders.organizationId, wanted.organizationId), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return rows.map(({ event: { id, kind, facts, by, at, orderId }, number, currency }) => ({
    id,
    source: 'order' as const,
    kind,
    facts,
    currency,
    by,
    at,
    order: { id: orderId, number },
    invoice: null,
  }))
}

async function readInvoices(db: Database, wanted: Wanted): Promise<Entry[]> {
  const slice = invoicesInTime.slice(sliceOf(wanted))
  const rows = await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.customerId, wanted.customerId),
        eq(invoices.organizationId, wanted.organizationId),
        isNotNull(invoices.issuedAt),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return rows.flatMap(({ id, kind, issuedAt: at, issuedBy: by, total, currency, number }) =>
    at === null
      ? []
      : [
          {
            id,
            source: 'invoice' as const,
            kind,
            facts: { amount: Number(total) },
            currency,
            by,
            at,
            order: null,
            invoice: { id, number },
          },
        ],
  )
}

async function readChanges(db: Database, wanted: Wanted): Promise<Entry[]> {
  const slice = changesInTime.slice(sliceOf(wanted))
  const { id, at, operation: kind, principalId: by } = auditLog
  const rows = await db
    .select({ id, at, kind, by })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.organizationId, wanted.organizationId),
        eq(auditLog.objectId, wanted.customerId),
        eq(auditLog.objectKind, 'customer'),
        eq(auditLog.outcome, 'done'),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return rows.map((row) => ({
    ...row,
    source: 'customer' as const,
    facts: {},
    currency: null,
    order: null,
    invoice: null,
  }))
}
