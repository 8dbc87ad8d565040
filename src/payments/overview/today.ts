import { and, count, desc, eq, gte, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { localDay, wallTime } from '#lib/time.ts'
import { detailsOf, reportSums, takingKinds } from '../reports/columns.ts'
import { ledgerDays, ledgerEntries, ledgerTransactions, merchants } from '../schema.ts'
import { addDays } from './range.ts'

interface Scope {
  organizationId: string
  currency: string
}

/** Time zones of merchants, those of most merchants first. */
export const listZones = async (db: Database, organizationId: string): Promise<string[]> => {
  const rows = await db
    .select({ zone: merchants.timezone })
    .from(merchants)
    .where(and(eq(merchants.organizationId, organizationId), isNull(merchants.archivedAt)))
    .groupBy(merchants.timezone)
    .orderBy(desc(count()), merchants.timezone)
  return rows.map(({ zone }) => zone)
}

/** The sums of each day since `from`. A day is that of its merchant’s time zone. */
export const readDays = (db: Database, { organizationId, currency }: Scope, from: string) =>
  db
    .select({
      day: ledgerDays.day,
      zone: merchants.timezone,
      takings: reportSums.takings,
      payments: reportSums.payments,
      refunds: reportSums.refunds,
      refundCount: detailsOf(ledgerDays).refundCount,
    })
    .from(ledgerDays)
    .innerJoin(merchants, eq(merchants.id, ledgerDays.merchantId))
    .where(
      and(eq(ledgerDays.organizationId, organizationId), eq(ledgerDays.currency, currency), gte(ledgerDays.day, from)),
    )
    .groupBy(ledgerDays.day, merchants.timezone)

/** Of the same weekday of the week before, until the same time: a day that isn’t over can’t be compared with one that is. */
export async function readTakingsAWeekAgo(
  db: Database,
  { organizationId, currency }: Scope,
  { zones, now }: { zones: readonly string[]; now: Date },
): Promise<bigint> {
  const spans = zones.map((zone) => {
    const before = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).subtract({ days: 7 })
    const from = wallTime(`${before.toPlainDate().toString()}T00:00`, zone)
    const until = new Date(before.epochMilliseconds)
    return and(eq(merchants.timezone, zone), gte(ledgerTransactions.at, from), lte(ledgerTransactions.at, until))
  })
  const [row] = await db
    .select({ takings: sql`-coalesce(sum(${ledgerEntries.amount}), 0)`.mapWith(BigInt) })
    .from(ledgerTransactions)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transactionId, ledgerTransactions.id))
    .innerJoin(merchants, eq(merchants.id, ledgerTransactions.merchantId))
    .where(
      and(
        eq(ledgerTransactions.organizationId, organizationId),
        // Of all time zones, for the index.
        gte(ledgerTransactions.at, hoursBefore(now, 8 * 24 + 26)),
        lt(ledgerTransactions.at, hoursBefore(now, 7 * 24 - 2)),
        eq(ledgerEntries.currency, currency),
        eq(ledgerEntries.account, 'merchant'),
        sql`${ledgerTransactions.kind} = ANY(${sql.param([...takingKinds])}::text[])`,
        or(...spans),
      ),
    )
  return row?.takings ?? 0n
}

const hoursBefore = (at: Date, hours: number): Date => new Date(at.getTime() - hours * 60 * 60 * 1000)

export const isToday =
  (now: Date) =>
  ({ day, zone }: { day: string; zone: string }): boolean =>
    day === localDay(now, zone)

/** The last `days` days, as of where it is latest. */
export const lastDays = (zones: readonly string[], now: Date, days: number): string[] => {
  const today = zones.map((zone) => localDay(now, zone)).reduce((one, other) => (one > other ? one : other), '')
  const last = today || localDay(now, 'UTC')
  return Array.from({ length: days }, (_, at) => addDays(last, at + 1 - days))
}
