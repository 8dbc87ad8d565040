import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { csvOf } from '#lib/response/csv.ts'
import { AccountingLine, ExportAccount } from '../contract/accounting.ts'
import { percentOf } from '../orders/totals.ts'
import { readChart } from './accounts.ts'
import { rangeOfMonth, type DayRange } from './range.ts'
import { readTaxParts, type TaxPart } from './tax-parts.ts'

interface Wanted {
  organizationId: string
  merchantId: string
  month: string
}

const documentsPerRead = 500

/** Every ledger transaction of a month as a document whose lines balance, in the order of their days and numbers, as RFC 4180. */
export async function* exportAccountingLines(
  db: Database,
  { organizationId, merchantId, month }: Wanted,
): AsyncGenerator<string> {
  const chart = codesOf(await readChart(db, organizationId))
  let after: Place = { bookedOn: '0001-01-01', sequence: '0' }
  for (let isFirst = true; ; isFirst = false) {
    const documents = await readDocuments(db, { organizationId, merchantId, after, ...rangeOfMonth(month) })
    const parts = await readTaxParts(
      db,
      documents.map(({ id }) => id),
    )
    const lines = documents.flatMap((document) => linesOf(document, parts.get(document.id) ?? [], chart))
    const text = csvOf(AccountingLine, lines)
    yield isFirst ? text : text.slice(text.indexOf('\r\n') + 2)
    const last = documents.at(-1)
    if (!last || documents.length < documentsPerRead) return
    after = last
  }
}

interface Codes {
  of(account: ExportAccount): { code: string; name: string }
  rates: ReadonlyMap<string, { revenue?: string | undefined; tax?: string | undefined; taxCode?: string | undefined }>
}

function codesOf({ accounts, rates }: Awaited<ReturnType<typeof readChart>>): Codes {
  const codes = new Map(accounts.map((each) => [each.account, each]))
  return {
    of: (account) => codes.get(account) ?? { code: account, name: account },
    rates: new Map(rates.map((each) => [each.rate, each])),
  }
}

interface Place {
  bookedOn: string
  sequence: string
}

const Documents = z.array(
  z.object({
    id: z.string(),
    sequence: z.string(),
    bookedOn: z.string(),
    kind: z.string(),
    note: z.string().nullable(),
    reference: z.string().nullable(),
    closedMonth: z.string().nullable(),
    order: z.string().nullable(),
    customer: z.string().nullable(),
    venue: z.string().nullable(),
    entries: z
      .array(z.object({ account: z.string(), currency: z.string(), amount: z.coerce.bigint() }))
      .nullable()
      .transform((entries) => entries ?? []),
  }),
)
type Document = z.output<typeof Documents>[number]

async function readDocuments(
  db: Database,
  { organizationId, merchantId, from, to, after }: DayRange & Omit<Wanted, 'month'> & { after: Place },
): Promise<Document[]> {
  const rows = await db.execute(sql`
    SELECT one.id, one.sequence::text AS sequence, one.booked_on::text AS "bookedOn", one.kind, one.note,
      one.provider_transaction_id AS reference, one.closed_month AS "closedMonth", orders.number AS "order",
      coalesce(orders.customer_name, orders.customer_email) AS customer, (
        SELECT min(venues.name) FROM payments.ledger_entries AS entry
        JOIN payments.venues ON venues.id = entry.venue_id WHERE entry.transaction_id = one.id) AS venue, (
        SELECT json_agg(json_build_object('account', account, 'currency', currency, 'amount', amount::text)
          ORDER BY first)
        FROM (
          SELECT account, currency, sum(amount) AS amount, min(position) AS first FROM payments.ledger_entries
          WHERE transaction_id = one.id GROUP BY 1, 2 HAVING sum(amount) <> 0
        ) AS sums) AS entries
    FROM payments.ledger_transactions AS one
    LEFT JOIN payments.orders ON orders.id = one.order_id
    WHERE one.merchant_id = ${merchantId} AND one.organization_id = ${organizationId}
      AND one.booked_on BETWEEN ${from} AND ${to}
      AND (one.booked_on, one.sequence) > (${after.bookedOn}::date, ${after.sequence}::bigint)
    ORDER BY one.booked_on, one.sequence LIMIT ${documentsPerRead}`)
  return Documents.parse(rows)
}

interface Amount {
  account: ExportAccount
  code: string
  amount: bigint
  taxRate?: string
  taxCode?: string | undefined
}

type Line = z.input<typeof AccountingLine>

function linesOf(document: Document, parts: readonly TaxPart[], chart: Codes): Line[] {
  const shared = {
    date: document.bookedOn,
    document: document.sequence,
    text: [document.kind.replaceAll('_', ' '), document.note].filter(Boolean).join(': '),
    reference: document.reference ?? '',
    order: document.order ?? '',
    customer: document.customer ?? '',
    venue: document.venue ?? '',
    closedMonth: document.closedMonth ?? '',
  }
  return document.entries.flatMap((entry) => {
    const currency = Currency.parse(entry.currency)
    const own = entry.account === 'merchant' ? parts.filter((part) => part.currency === entry.currency) : []
    const ledgerAccount = entry.account
    return amountsOf(entry, own, chart).map(({ account, code, amount, taxRate = '', taxCode = '' }) => {
      const decimal = formatMoney({ minor: amount < 0n ? -amount : amount, currency })
      return {
        ...shared,
        account: code,
        accountName: chart.of(account).name,
        debit: amount < 0n ? '' : decimal,
        credit: amount < 0n ? decimal : '',
        currency,
        taxRate,
        taxCode,
        ledgerAccount,
      }
    })
  })
}

/** What is owed to the merchant is its revenue, and the tax in it. */
function amountsOf(entry: Document['entries'][number], parts: readonly TaxPart[], chart: Codes): Amount[] {
  if (entry.account !== 'merchant') {
    const account = ExportAccount.parse(entry.account)
    return [{ account, code: chart.of(account).code, amount: entry.amount }]
  }
  if (parts.length === 0) return [{ account: 'revenue', code: chart.of('revenue').code, amount: entry.amount }]
  return parts.flatMap(({ rate, net, tax }) => {
    const taxRate = percentOf(rate)
    const own = chart.rates.get(taxRate) ?? {}
    const shared = { taxRate, taxCode: own.taxCode }
    const amounts: Amount[] = [
      { account: 'revenue', code: own.revenue ?? chart.of('revenue').code, amount: -net, ...shared },
      { account: 'tax', code: own.tax ?? chart.of('tax').code, amount: -tax, ...shared },
    ]
    return amounts.filter(({ amount }) => amount !== 0n)
  })
}
