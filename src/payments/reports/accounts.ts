import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { AccountChart, AccountChartEdit, AccountCode } from '../contract/accounting.ts'
import { accountCharts } from '../schema.ts'
import { requireVersion } from '../version.ts'

export type StoredChart = z.input<typeof AccountChart>

/** Numbers as in the German SKR 04. */
const defaults: readonly AccountCode[] = [
  { account: 'clearing', code: '1460', name: 'Payment provider' },
  { account: 'fees', code: '6855', name: 'Payment fees' },
  { account: 'revenue', code: '4000', name: 'Revenue' },
  { account: 'tax', code: '3800', name: 'Sales tax' },
  { account: 'refunds_in_transit', code: '3510', name: 'Refunds in transit' },
  { account: 'disputes_held', code: '1340', name: 'Disputed payments' },
  { account: 'float', code: '1370', name: 'Settlements' },
  { account: 'settlements_payable', code: '3500', name: 'Settlements payable' },
  { account: 'conversion', code: '1470', name: 'Currency conversion' },
  { account: 'bank', code: '1800', name: 'Bank' },
  { account: 'top_ups', code: '1461', name: 'Top-ups of the payment provider' },
  { account: 'reserves', code: '1462', name: 'Reserves of the payment provider' },
  { account: 'adjustments', code: '6859', name: 'Adjustments by the payment provider' },
  { account: 'opening', code: '9000', name: 'Opening balance' },
  { account: 'suspense', code: '1490', name: 'Unassigned movements' },
  { account: 'corrections', code: '1495', name: 'Corrections' },
]

export async function readChart(db: Database, organizationId: string): Promise<StoredChart> {
  const [row] = await db.select().from(accountCharts).where(eq(accountCharts.organizationId, organizationId))
  if (!row) return { accounts: [...defaults], rates: [], version: 1, updatedBy: null, updatedAt: null }
  const own = new Map(row.accounts.map((each) => [each.account, each]))
  return { ...row, rates: [...row.rates], accounts: defaults.map((each) => own.get(each.account) ?? each) }
}

/** @param versions Of which the accounts must have one. @throws {Problem} 409 `version_conflict` */
export async function saveChart(
  { actor, db, now }: Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now'>,
  { accounts, rates }: AccountChartEdit,
  versions: readonly number[] | null,
): Promise<StoredChart> {
  const organizationId = organizationOf(actor, 'settings:write')
  await db.insert(accountCharts).values({ organizationId }).onConflictDoNothing()
  const own = eq(accountCharts.organizationId, organizationId)
  const [before] = await db.select().from(accountCharts).where(own).for('update')
  if (!before) throw new Error('The accounts were not inserted')
  requireVersion(before, versions, 'these accounts')
  const after = { accounts: accounts ?? before.accounts, rates: rates ?? before.rates }
  await db
    .update(accountCharts)
    .set({
      ...after,
      version: sql`${accountCharts.version} + 1`,
      updatedBy: actor.principal.id,
      updatedAt: now(),
    })
    .where(own)
  recordChange(db, {
    object: 'account_chart',
    id: organizationId,
    before: { accounts: before.accounts, rates: before.rates },
    after,
  })
  return readChart(db, organizationId)
}
