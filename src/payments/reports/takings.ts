import { and, asc, eq, gte, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { keyset } from '#lib/paginate.ts'
import type { ReportStep, Takings, TakingsFilter } from '../contract/reports.ts'
import { readMerchantNames } from '../ledger/merchants.ts'
import { ledgerDays, noVenue, venues } from '../schema.ts'
import { reportSums, withNet } from './columns.ts'
import type { DayRange } from './range.ts'

export type StoredTakings = Omit<z.input<typeof Takings>, 'timeZone' | 'isOver'>

type Scope = Pick<TakingsFilter, 'merchantId' | 'venueId'> & {
  organizationId: string
  currency?: string | undefined
} & DayRange

/** The sums of each step of a range, the newest first. */
export async function listTakings(
  db: Database,
  { by, limit, cursor, ...scope }: Scope & { by: ReportStep; limit: number; cursor?: string | undefined },
): Promise<StoredTakings> {
  const keys = {
    start: startOf(by, scope),
    currency: ledgerDays.currency,
    merchant: ledgerDays.merchantId,
    venue: by === 'venue' ? sql<string>`${ledgerDays.venueId}::text` : sql<string>`${sql.raw(`'${noVenue}'`)}::text`,
  }
  const slice = keyset(
    {
      start: [keys.start, z.iso.date()],
      currency: [keys.currency, z.string()],
      merchant: [keys.merchant, z.guid()],
      venue: [keys.venue, z.guid()],
    },
    'desc',
  ).slice({ limit, ...(cursor !== undefined && { cursor }) })
  const [rows, totals] = await Promise.all([
    db
      .select({ ...keys, ...reportSums })
      .from(ledgerDays)
      .where(and(inScope(scope), slice.where))
      .groupBy(keys.start, keys.currency, keys.merchant, keys.venue)
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
    items: items.map(({ start, merchant, venue, ...row }) => ({
      ...withNet(row),
      ...within(scope, { from: start, to: endOf(by, start, scope) }),
      merchantId: merchant,
      merchantName: merchantNames.get(merchant) ?? null,
      venueId: venue === noVenue ? null : venue,
      venueName: venueNames.get(venue) ?? null,
    })),
  }
}

/** Of all days of a range together, by currency. */
export async function readTotals(db: Database, scope: Scope): Promise<StoredTakings['totals']> {
  const rows = await db
    .select({ currency: ledgerDays.currency, ...reportSums })
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

/** The first day of the step that a day is in. */
function startOf(by: ReportStep, { from }: DayRange): SQL<string> {
  if (by === 'venue') return sql<string>`${sql.raw(`'${from}'`)}::text`
  if (by === 'day') return sql<string>`${ledgerDays.day}::text`
  return sql<string>`date_trunc(${sql.raw(`'${by}'`)}, ${ledgerDays.day}::timestamp)::date::text`
}

function endOf(by: ReportStep, start: string, { to }: DayRange): string {
  if (by === 'venue') return to
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
