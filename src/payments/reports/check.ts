import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { ReportCheck } from '../contract/reports.ts'
import type { DayRange } from './range.ts'

const maxDifferences = 100

const Rows = z.array(
  z.object({
    merchantId: z.string(),
    day: z.string(),
    currency: z.string(),
    account: z.string(),
    kind: z.string(),
    ledger: z.coerce.bigint(),
    report: z.coerce.bigint(),
    entries: z.coerce.number(),
  }),
)

/** Adds up the ledger’s entries of a range again, and compares the sums of its days with those of reports. */
export async function checkReports(
  db: Database,
  { organizationId, merchantId, from, to }: DayRange & { organizationId: string; merchantId: string | undefined },
): Promise<z.input<typeof ReportCheck>> {
  const ofMerchants = merchantId
    ? sql`= ${merchantId}`
    : sql`IN (SELECT id FROM payments.merchants WHERE organization_id = ${organizationId})`
  const rows = Rows.parse(
    await db.execute(sql`
    SELECT coalesce(written.merchant_id, reported.merchant_id) AS "merchantId",
      coalesce(written.day, reported.day)::text AS day, coalesce(written.currency, reported.currency) AS currency,
      coalesce(written.account, reported.account) AS account, coalesce(written.kind, reported.kind) AS kind,
      coalesce(written.amount, 0) AS ledger, coalesce(reported.amount, 0) AS report,
      coalesce(written.entries, 0) AS entries
    FROM (
      SELECT one.merchant_id, one.booked_on AS day, entry.currency, entry.account, one.kind,
        sum(entry.amount) AS amount, count(*) AS entries
      FROM payments.ledger_transactions AS one
      JOIN payments.ledger_entries AS entry ON entry.transaction_id = one.id
      WHERE one.merchant_id ${ofMerchants} AND one.organization_id = ${organizationId}
        AND one.booked_on BETWEEN ${from} AND ${to}
      GROUP BY 1, 2, 3, 4, 5
    ) AS written
    FULL JOIN (
      SELECT merchant_id, day, currency, account, kind, sum(amount) AS amount FROM payments.ledger_days
      WHERE merchant_id ${ofMerchants} AND organization_id = ${organizationId} AND day BETWEEN ${from} AND ${to}
      GROUP BY 1, 2, 3, 4, 5
    ) AS reported ON (reported.merchant_id, reported.day, reported.currency, reported.account, reported.kind)
      = (written.merchant_id, written.day, written.currency, written.account, written.kind)`),
  )
  const differences = rows.filter(({ ledger, report }) => ledger !== report)
  return {
    matches: differences.length === 0,
    entries: rows.reduce((sum, { entries }) => sum + entries, 0),
    differences: differences.slice(0, maxDifferences).map((row) => {
      const { entries: _, ...difference } = row
      return difference
    }),
  }
}
