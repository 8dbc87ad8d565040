import { and, asc, eq, gte, inArray, lte, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import type { ReportStep, TakingsFilter } from '../contract/reports.ts'
import { readMerchantNames } from '../ledger/merchants.ts'
import { ledgerDays, ledgerEntries, ledgerTransactions, noVenue, venues } from '../schema.ts'
import { detailsOf, reportSums, sumsOf, withNet } from './columns.ts'
import { methodDays } from './methods.ts'
import type { DayRange } from './range.ts'

type Scope = Pick<TakingsFilter, 'merchantId' | 'venueId'> & {
  organizationId: string
  currency?: string | undefined
} & DayRange

interface Wanted extends Scope {
  by: ReportStep
  limit: number
  cursor?: string | undefined
}

/** The sums of each step of a range, the newest first, with all columns of all reports. */
export async function listTakings(db: Database, { by, limit, cursor, ...scope }: Wanted) {
  const methods = by === 'method' ? methodDays(db, inTransactions(scope)) : null
  const source = methods ?? ledgerDays
  const keys = {
    start: startOf(by, scope, source.day),
    currency: sql<string>`${source.currency}`,
    merchant: sql<string>`${source.merchantId}::text`,
    venue: by === 'venue' ? sql<string>`${source.venueId}::text` : sql<string>`${sql.raw(`'${noVenue}'`)}::text`,
    method: methods ? sql<string>`${methods.method}` : sql<string>`''::text`,
  }
  const slice = keyset(
    {
      start: [keys.start, z.iso.date()],
      currency: [keys.currency, z.string()],
      merchant: [keys.merchant, z.guid()],
      venue: [keys.venue, z.guid()],
      method: [keys.method, z.string()],
    },
    'desc',
  ).slice({ limit, ...(cursor !== undefined && { cursor }) })
  const [rows, totals] = await Promise.all([
    db
      .select({ ...keys, ...sumsOf(source), ...detailsOf(source) })
      .from(source)
      .where(methods ? slice.where : and(inScope(scope), slice.where))
      .groupBy(keys.start, keys.currency, keys.merchant, keys.venue, keys.method)
      .orderBy(...slice.order)
      .limit(slice.limit),
    readTotals(db, scope),
  ])
  const { items, nextCursor } = slice.page(rows)
  const [merchantNames, venueNames] = await Promise.all([
    readMerchantNames(
      db,
      items.map(({ merchant }) => merchant),
    ),
    readVenueNames(
      db,
      items.map(({ venue }) => venue).filter((id) => id !== noVenue),
    ),
  ])
  return {
    from: scope.from,
    to: scope.to,
    by,
    totals,
    nextCursor,
    items: items.map(({ start, merchant, venue, method, ...row }) => ({
      ...withNet(row),
      ...within(scope, { from: start, to: endOf(by, start, scope) }),
      merchantId: merchant,
      merchantName: merchantNames.get(merchant) ?? null,
      venueId: venue === noVenue ? null : venue,
      venueName: venueNames.get(venue) ?? null,
      method: method === '' ? null : method,
    })),
  }
}

export type StoredTakings = Awaited<ReturnType<typeof listTakings>>

/** Of all days of a range together, by currency. */
export async function readTotals(db: Database, scope: Scope) {
  const rows = await db
    .select({ currency: ledgerDays.currency, ...reportSums, ...detailsOf(ledgerDays) })
    .from(ledgerDays)
    .where(inScope(scope))
    .groupBy(ledgerDays.currency)
    .orderBy(asc(ledgerDays.currency))
  return rows.map((row) => withNet(row))
}

export const inScope = ({ organizationId, merchantId, venueId, currency, from, to }: Scope): SQL | undefined =>
  and(
    eq(ledgerDays.organizationId, organizationId),
    merchantId === undefined ? undefined : eq(ledgerDays.merchantId, merchantId),
    venueId === undefined ? undefined : eq(ledgerDays.venueId, venueId),
    currency === undefined ? undefined : eq(ledgerDays.currency, currency),
    gte(ledgerDays.day, from),
    lte(ledgerDays.day, to),
  )

/** The same of the transactions that they are sums of. */
const inTransactions = ({ organizationId, merchantId, venueId, currency, from, to }: Scope): SQL | undefined =>
  and(
    eq(ledgerTransactions.organizationId, organizationId),
    merchantId === undefined ? undefined : eq(ledgerTransactions.merchantId, merchantId),
    venueId === undefined ? undefined : eq(ledgerEntries.venueId, venueId),
    currency === undefined ? undefined : eq(ledgerEntries.currency, currency),
    gte(ledgerTransactions.bookedOn, from),
    lte(ledgerTransactions.bookedOn, to),
  )

/** The first day of the step that a day is in. */
function startOf(by: ReportStep, { from }: DayRange, day: SQLWrapper): SQL<string> {
  if (by === 'venue' || by === 'method') return sql<string>`${sql.raw(`'${from}'`)}::text`
  if (by === 'day') return sql<string>`${day}::text`
  return sql<string>`date_trunc(${sql.raw(`'${by}'`)}, ${day}::timestamp)::date::text`
}

function endOf(by: ReportStep, start: string, { to }: DayRange): string {
  if (by === 'venue' || by === 'method') return to
  const first = Temporal.PlainDate.from(start)
  const next = { day: { days: 1 }, week: { weeks: 1 }, month: { months: 1 } }[by]
  return first.add(next).subtract({ days: 1 }).toString()
}

const within = (range: DayRange, { from, to }: DayRange): DayRange => ({
  from: from < range.from ? range.from : from,
  to: to > range.to ? range.to : to,
})

async function readVenueNames(db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: venues.id, name: venues.name })
    .from(venues)
    .where(inArray(venues.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
