import type { z } from 'zod'
import { stream, type Stream } from '../reply.ts'
import { csvOf } from './csv.ts'

interface PageQuery {
  limit: number
  cursor?: string
}

interface RowPage {
  items: readonly unknown[]
  nextCursor: string | null
}

const rowsPerRead = 500

/** A download of a list’s pages, read while they are sent. */
export const csvFile = (name: string, item: z.ZodType, readPage: (page: PageQuery) => Promise<RowPage>): Stream =>
  stream(csvLines(item, readPage), 'text/csv; charset=utf-8; header=present', {
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
  })

async function* csvLines(item: z.ZodType, readPage: (page: PageQuery) => Promise<RowPage>): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await readPage({ limit: rowsPerRead, ...(cursor !== undefined && { cursor }) })
    const text = csvOf(
      item,
      items.map((row) => item.parse(row)),
    )
    yield cursor === undefined ? text : text.slice(text.indexOf('\r\n') + 2)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
}
