import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { localDay, monthOf } from '#lib/time.ts'
import type { ReportOptions } from '../contract/reports.ts'
import { ledgerDays, merchants } from '../schema.ts'

const maxMerchants = 500

export interface ReportedMerchant {
  id: string
  name: string
  timeZone: string
}

const fields = { id: merchants.id, name: merchants.name, timeZone: merchants.timezone }

/** @throws {Problem} 404 unless the organization has it */
export async function getReportedMerchant(
  db: Database,
  organizationId: string,
  merchantId: string,
): Promise<ReportedMerchant> {
  const [found] = await db
    .select(fields)
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), eq(merchants.organizationId, organizationId)))
  if (!found) throw notFound('merchant')
  return found
}

/** Whose today a report ends on: the given merchant’s, else the default merchant’s. @throws {Problem} 404 */
export async function reportTimeZone(db: Database, organizationId: string, merchantId?: string): Promise<string> {
  if (merchantId !== undefined) return (await getReportedMerchant(db, organizationId, merchantId)).timeZone
  const [found] = await db
    .select(fields)
    .from(merchants)
    .where(and(eq(merchants.organizationId, organizationId), eq(merchants.isDefault, true)))
  return found?.timeZone ?? 'UTC'
}

/** With the currencies in which their money moved, the default merchant first. */
export async function listReportedMerchants(
  db: Database,
  organizationId: string,
  now: Date,
): Promise<z.input<typeof ReportOptions>['merchants']> {
  const [found, used] = await Promise.all([
    db
      .select({ ...fields, isDefault: merchants.isDefault })
      .from(merchants)
      .where(eq(merchants.organizationId, organizationId))
      .orderBy(desc(merchants.isDefault), asc(merchants.name))
      .limit(maxMerchants),
    db
      .select({ merchantId: ledgerDays.merchantId, currency: ledgerDays.currency })
      .from(ledgerDays)
      .where(eq(ledgerDays.organizationId, organizationId))
      .groupBy(ledgerDays.merchantId, ledgerDays.currency)
      .orderBy(desc(sql`sum(${ledgerDays.entries})`), asc(ledgerDays.currency)),
  ])
  const currencies = Map.groupBy(used, ({ merchantId }) => merchantId)
  return found.map((merchant) => ({
    ...merchant,
    month: monthOf(localDay(now, merchant.timeZone)),
    currencies: (currencies.get(merchant.id) ?? []).map(({ currency }) => currency),
  }))
}
