import { and, eq, exists, isNotNull, isNull, sql, type SQL } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { byId } from '#lib/paginate.ts'
import { csvOf } from '#lib/response/csv.ts'
import { Customer, type CustomerCounts, type CustomerFilter, type CustomerList } from '../contract/customers.ts'
import { beginLike, customers, orders, wordsOf } from '../schema.ts'
import { describeCustomers, needsAction } from './describe.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>
type Conditions = Omit<CustomerFilter, 'limit' | 'cursor'>

export const conditionOf = (
  db: Database,
  organizationId: string,
  { q, kind, country, attention, state }: Conditions,
): SQL | undefined =>
  and(
    eq(customers.organizationId, organizationId),
    q === undefined ? undefined : beginLike(wordsOf(customers), q),
    kind && eq(customers.kind, kind),
    country === undefined ? undefined : sql`${customers.address}->>'country' = ${country}`,
    state && (state === 'archived' ? isNotNull(customers.archivedAt) : isNull(customers.archivedAt)),
    attention &&
      exists(
        db
          .select({ one: sql`1` })
          .from(orders)
          .where(and(eq(orders.customerId, customers.id), needsAction)),
      ),
  )

export const mayWrite = async ({ actor, identity }: Pick<ReadCall, 'actor' | 'identity'>): Promise<boolean> =>
  isAllowed(actor, 'customers:write', await identity.serviceId('platform-pay'))

export async function listCustomerRows(
  call: ReadCall,
  { limit, cursor, ...filter }: CustomerFilter,
): Promise<z.input<typeof CustomerList>> {
  const { db, actor } = call
  const organizationId = organizationOf(actor, 'customers:read')
  const slice = byId(customers.id, 'desc').slice({ limit, ...(cursor && { cursor }) })
  const [rows, canWrite] = await Promise.all([
    db
      .select()
      .from(customers)
      .where(and(conditionOf(db, organizationId, filter), slice.where))
      .orderBy(...slice.order)
      .limit(slice.limit),
    mayWrite(call),
  ])
  const { items, nextCursor } = slice.page(rows)
  return { items: await describeCustomers(db, items, canWrite), nextCursor, can: { create: canWrite } }
}

const maxCount = 1_001

export async function countCustomers(
  { db, actor }: Pick<ReadCall, 'db' | 'actor'>,
  { q, country }: Conditions,
): Promise<CustomerCounts> {
  const organizationId = organizationOf(actor, 'customers:read')
  const count = async (filter: Conditions) => {
    const bounded = db
      .select({ one: sql`1` })
      .from(customers)
      .where(conditionOf(db, organizationId, { q, country, ...filter }))
      .limit(maxCount)
      .as('bounded')
    const [row] = await db.select({ count: sql<number>`count(*)::int` }).from(bounded)
    return row?.count ?? 0
  }
  const [all, companies, attention, archived] = await Promise.all([
    count({ state: 'active' }),
    count({ state: 'active', kind: 'company' }),
    count({ state: 'active', attention: 'open' }),
    count({ state: 'archived' }),
  ])
  return { all, companies, attention, archived }
}

const rowsPerRead = 500

/** All that match, the newest first, as RFC 4180. */
export async function* exportCustomerLines(call: ReadCall, filter: Conditions): AsyncGenerator<string> {
  const item = Customer.omit({ can: true })
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listCustomerRows(call, {
      ...filter,
      limit: rowsPerRead,
      ...(cursor !== undefined && { cursor }),
    })
    const text = csvOf(
      item,
      items.map((each) => item.parse(each)),
    )
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
