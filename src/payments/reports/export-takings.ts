import type { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { csvOf } from '#lib/response/csv.ts'
import { listTakings, type StoredTakings } from './takings.ts'

type Wanted = Omit<Parameters<typeof listTakings>[1], 'limit' | 'cursor'>

const rowsPerRead = 500

/** All rows with decimal numbers, the newest first, as RFC 4180. `line` is what a line has of them. */
export async function* exportReportLines(db: Database, line: z.ZodType, wanted: Wanted): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listTakings(db, { ...wanted, limit: rowsPerRead, cursor })
    const text = csvOf(
      line,
      items.map((row) => line.parse(lineOf(row))),
    )
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}

function lineOf({ merchantName, venueName, ...row }: StoredTakings['items'][number]) {
  const currency = Currency.parse(row.currency)
  const decimals = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? formatMoney({ minor: value, currency }) : value,
  ])
  return { ...Object.fromEntries(decimals), merchant: merchantName, venue: venueName }
}
