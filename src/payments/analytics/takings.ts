import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { reportSums, withNet } from '../reports/columns.ts'
import { inScope } from '../reports/takings.ts'
import { ledgerDays, noVenue, venues } from '../schema.ts'
import type { AnalyticsScope } from './scope.ts'

const { account, kind, entries } = ledgerDays

const sums = {
  ...reportSums,
  openedDisputes:
    sql<number>`coalesce(sum(${entries}) FILTER (WHERE ${account} = 'disputes_held' AND ${kind} = 'dispute_opened'), 0)::int`.mapWith(
      Number,
    ),
}

/** By day, from the sums of the ledger, the first day first. */
export async function readTakings(db: Database, scope: AnalyticsScope) {
  const rows = await db
    .select({ day: ledgerDays.day, ...sums })
    .from(ledgerDays)
    .where(inScope(scope))
    .groupBy(ledgerDays.day)
    .orderBy(ledgerDays.day)
  return rows.map((row) => withNet(row))
}

export type TakingsOfDay = Awaited<ReturnType<typeof readTakings>>[number]

const maxVenues = 5

export const listTopVenues = async (db: Database, scope: AnalyticsScope) =>
  db
    .select({
      id: ledgerDays.venueId,
      name: venues.name,
      takings: reportSums.takings,
      payments: reportSums.payments,
    })
    .from(ledgerDays)
    .leftJoin(venues, eq(venues.id, ledgerDays.venueId))
    .where(and(inScope(scope), ne(ledgerDays.venueId, noVenue)))
    .groupBy(ledgerDays.venueId, venues.name)
    .having(sql`${reportSums.payments} > 0`)
    .orderBy(desc(reportSums.takings), ledgerDays.venueId)
    .limit(maxVenues)
