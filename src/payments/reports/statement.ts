import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { monthOf } from '#lib/time.ts'
import type { Statement, TaxReport } from '../contract/reports.ts'
import { percentOf } from '../orders/totals.ts'
import { closedPeriods, ledgerHeads, ledgerTransactions, merchants } from '../schema.ts'
import { getReportedMerchant } from './merchants.ts'
import { rangeOfMonth } from './range.ts'
import { readTotals } from './takings.ts'
import { sumTaxes } from './tax-parts.ts'

interface OfMonth {
  organizationId: string
  merchantId: string
  month: string
}

export async function readTaxes(
  db: Database,
  { organizationId, merchantId, month }: OfMonth,
): Promise<z.input<typeof TaxReport>> {
  const { id } = await getReportedMerchant(db, organizationId, merchantId)
  const rows = await sumTaxes(db, { merchantId: id, ...rangeOfMonth(month) })
  return {
    merchantId: id,
    month,
    items: rows.map(({ rate, net, tax, currency }) => ({
      currency,
      rate: rate === null ? null : percentOf(rate),
      gross: net + tax,
      net,
      tax,
    })),
  }
}

/** What a month did to a merchant’s ledger: the movements of reports, each account’s balance before and after, and taxes. */
export async function readStatement(db: Database, wanted: OfMonth): Promise<z.input<typeof Statement>> {
  const { organizationId, month } = wanted
  const merchant = await getReportedMerchant(db, organizationId, wanted.merchantId)
  const range = rangeOfMonth(month)
  const ofMonth = { organizationId, merchantId: merchant.id, month }
  const [totals, accounts, taxes, late, closed] = await Promise.all([
    readTotals(db, { organizationId, merchantId: merchant.id, ...range }),
    readAccounts(db, { merchantId: merchant.id, ...range }),
    readTaxes(db, ofMonth),
    countLate(db, { merchantId: merchant.id, ...range }),
    readClosing(db, ofMonth),
  ])
  const currencies = new Set([...totals, ...accounts].map(({ currency }) => currency))
  return {
    ...ofMonth,
    ...range,
    ...closed,
    merchantName: merchant.name,
    timeZone: merchant.timeZone,
    late,
    taxes: taxes.items,
    currencies: [...currencies].sort().map((currency) => ({
      ...(totals.find((each) => each.currency === currency) ?? { ...nothing, currency }),
      accounts: accounts
        .filter((each) => each.currency === currency)
        .map(({ account, opening, change }) => ({ account, opening, change, closing: opening + change })),
    })),
  }
}

const nothing = {
  payments: 0,
  takings: 0n,
  refunds: 0n,
  disputes: 0n,
  fees: 0n,
  other: 0n,
  net: 0n,
  payouts: 0n,
}

const Accounts = z.array(
  z.object({ currency: z.string(), account: z.string(), opening: z.coerce.bigint(), change: z.coerce.bigint() }),
)

interface OfMerchant {
  merchantId: string
  from: string
  to: string
}

async function readAccounts(db: Database, { merchantId, from, to }: OfMerchant) {
  const rows = await db.execute(sql`
    SELECT currency, account, coalesce(sum(amount) FILTER (WHERE day < ${from}), 0) AS opening,
      coalesce(sum(amount) FILTER (WHERE day >= ${from}), 0) AS change
    FROM payments.ledger_days WHERE merchant_id = ${merchantId} AND day <= ${to}
    GROUP BY 1, 2 HAVING sum(amount) <> 0 OR bool_or(day >= ${from}) ORDER BY 1, 2`)
  return Accounts.parse(rows)
}

const countLate = (db: Database, { merchantId, from, to }: OfMerchant): Promise<number> =>
  db.$count(
    ledgerTransactions,
    and(
      eq(ledgerTransactions.merchantId, merchantId),
      sql`${ledgerTransactions.closedMonth} IS NOT NULL`,
      sql`${ledgerTransactions.bookedOn} BETWEEN ${from} AND ${to}`,
    ),
  )

async function readClosing(db: Database, { merchantId, month }: OfMonth) {
  const [row] = await db
    .select({ legalName: merchants.legalName, openFrom: ledgerHeads.openFrom, hash: closedPeriods.hash })
    .from(merchants)
    .leftJoin(ledgerHeads, eq(ledgerHeads.merchantId, merchants.id))
    .leftJoin(closedPeriods, and(eq(closedPeriods.merchantId, merchants.id), eq(closedPeriods.month, month)))
    .where(eq(merchants.id, merchantId))
  const isClosed = row?.openFrom && month < monthOf(row.openFrom)
  return { legalName: row?.legalName ?? null, hash: row?.hash ?? null, state: isClosed ? 'closed' : 'open' } as const
}
