import type { Database } from '#lib/db.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { csvOf } from '#lib/response/csv.ts'
import { TakingsLine } from '../contract/reports.ts'
import { listTakings, type StoredTakings } from './takings.ts'

type Wanted = Omit<Parameters<typeof listTakings>[1], 'limit' | 'cursor'>

const rowsPerRead = 500

/** All rows with decimal numbers, the newest first, as RFC 4180. */
export async function* exportTakingsLines(db: Database, wanted: Wanted): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listTakings(db, { ...wanted, limit: rowsPerRead, cursor })
    const text = csvOf(TakingsLine, items.map(lineOf))
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

function lineOf({ merchantName, venueName, ...row }: StoredTakings['items'][number]) {
  const currency = Currency.parse(row.currency)
  const decimal = (minor: bigint) => formatMoney({ minor, currency })
  return TakingsLine.parse({
    ...row,
    merchant: merchantName,
    venue: venueName,
    takings: decimal(row.takings),
    refunds: decimal(row.refunds),
    disputes: decimal(row.disputes),
    fees: decimal(row.fees),
    other: decimal(row.other),
    net: decimal(row.net),
    payouts: decimal(row.payouts),
  })
}
