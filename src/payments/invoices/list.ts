import { and, eq, gte, lt, lte, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { firstIdAt } from '#lib/ids.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { csvOf } from '#lib/response/csv.ts'
import { Invoice, InvoiceTab, type InvoiceCounts, type InvoiceFilter } from '../contract/invoices.ts'
import { beginLike, invoices, invoiceWordsOf } from '../schema.ts'
import { describeInvoice, joinedInvoices, type StoredInvoice } from './read.ts'

export type Filter = Omit<InvoiceFilter, 'limit' | 'cursor'>
type ListCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>

const permission = 'invoices:read'
const dayMs = 24 * 60 * 60 * 1000

function conditionOf({ actor, now }: ListCall, filter: Filter): SQL | undefined {
  const { status, q, email, currency, merchantId, customerId, orderId, from, to } = filter
  return and(
    eq(invoices.organizationId, organizationOf(actor, permission)),
    status && conditionOfTab(status, now()),
    email === undefined ? undefined : eq(invoices.buyerEmail, email),
    currency && eq(invoices.currency, currency),
    merchantId === undefined ? undefined : eq(invoices.merchantId, merchantId),
    customerId === undefined ? undefined : eq(invoices.customerId, customerId),
    orderId === undefined ? undefined : eq(invoices.orderId, orderId),
    from === undefined ? undefined : gte(invoices.issuedOn, from),
    to === undefined ? undefined : and(lte(invoices.issuedOn, to), lt(invoices.id, firstIdAfter(to))),
    q === undefined ? undefined : beginLike(invoiceWordsOf(invoices), q),
  )
}

/** Drafts are created before they are issued, in any time zone. */
const firstIdAfter = (day: string): string => firstIdAt(new Date(Date.parse(`${day}T00:00:00Z`) + 3 * dayMs))

function conditionOfTab(tab: InvoiceTab, now: Date): SQL | undefined {
  if (tab === 'credit_note') return eq(invoices.kind, 'credit_note')
  if (tab === 'overdue') return and(eq(invoices.kind, 'invoice'), eq(invoices.status, 'open'), isOverdue(now))
  return and(eq(invoices.kind, 'invoice'), eq(invoices.status, tab))
}

/** The merchant’s day. */
const todayAt = (now: Date): SQL => sql`
  (SELECT (${now.toISOString()}::timestamptz AT TIME ZONE place.timezone)::date
  FROM payments.merchants AS place WHERE place.id = ${invoices.merchantId})`

/** The index needs a constant bound: the latest day of all time zones. */
const isOverdue = (now: Date): SQL | undefined =>
  and(
    lt(invoices.dueOn, new Date(now.getTime() + 14 * 3_600_000).toISOString().slice(0, 10)),
    sql`${invoices.dueOn} < ${todayAt(now)}`,
  )

/** The newest first. */
export async function listInvoiceRows(
  call: ListCall,
  { limit, cursor, ...filter }: InvoiceFilter,
): Promise<PageOf<StoredInvoice>> {
  const slice = byId(invoices.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const rows = await joinedInvoices(call.db)
    .where(and(conditionOf(call, filter), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.pageBy(
    rows.map((row) => describeInvoice(row, call.now())),
    ({ id }) => ({ id }),
  )
}

const maxCount = 1_001

export async function countInvoices(call: ListCall, query: Filter): Promise<InvoiceCounts> {
  const { status: _, ...filter } = query
  const where = conditionOf(call, filter)
  const countOf = async (condition: SQL | undefined): Promise<number> => {
    const bounded = call.db
      .select({ one: sql`1` })
      .from(invoices)
      .where(and(where, condition))
      .limit(maxCount)
      .as('bounded')
    const [row] = await call.db.select({ count: sql<number>`count(*)::int` }).from(bounded)
    return row?.count ?? 0
  }
  const now = call.now()
  const [all, ...counted] = await Promise.all([
    countOf(undefined),
    ...InvoiceTab.options.map(async (tab) => [tab, await countOf(conditionOfTab(tab, now))] as const),
  ])
  return { all, byStatus: Object.fromEntries(counted.filter(([, count]) => count > 0)) }
}

const rowsPerRead = 500

/** All that match, the newest first, as RFC 4180. */
export async function* exportInvoiceLines(call: ListCall, filter: Filter): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listInvoiceRows(call, {
      ...filter,
      limit: rowsPerRead,
      ...(cursor !== undefined && { cursor }),
    })
    const text = csvOf(
      Invoice,
      items.map((item) => Invoice.parse(item)),
    )
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

/** What waits for payment, by currency, in the order of their amounts. */
export async function sumOpen(call: ListCall) {
  const overdue = isOverdue(call.now())
  const rows = await call.db
    .select({
      currency: invoices.currency,
      amount: sql`sum(${invoices.total} - ${invoices.credited})`.mapWith(BigInt),
      count: sql<number>`count(*)::int`,
      overdueAmount: sql`coalesce(sum(${invoices.total} - ${invoices.credited}) FILTER (WHERE ${overdue}), 0)`.mapWith(
        BigInt,
      ),
      overdueCount: sql<number>`(count(*) FILTER (WHERE ${overdue}))::int`,
      oldestDays: sql<number>`coalesce(max(${todayAt(call.now())} - ${invoices.dueOn}), 0)`.mapWith(Number),
    })
    .from(invoices)
    .where(
      and(
        eq(invoices.organizationId, organizationOf(call.actor, permission)),
        eq(invoices.kind, 'invoice'),
        eq(invoices.status, 'open'),
      ),
    )
    .groupBy(invoices.currency)
  const sorted = rows.toSorted((one, other) => other.count - one.count || (one.currency < other.currency ? -1 : 1))
  return {
    open: sorted.map(({ currency, amount, count }) => ({ currency, amount, count })),
    overdue: sorted
      .filter(({ overdueCount }) => overdueCount > 0)
      .map(({ currency, overdueAmount, overdueCount, oldestDays }) => ({
        currency,
        amount: overdueAmount,
        count: overdueCount,
        oldestDays,
      })),
  }
}
