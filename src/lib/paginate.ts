import { z } from 'zod'
import { invalid } from './errors.ts'

/** How many items a list answers at most: 1 to 100, 20 when not said (PLT-12). */
export const Limit = z.coerce
  .number('Must be a number.')
  .int()
  .min(1, 'At least 1.')
  .max(100, 'At most 100.')
  .default(20)

/** The query parameters that every list takes. */
export const paging = { limit: Limit, cursor: z.string().max(500).optional() }

export interface PageOf<Item> {
  items: Item[]
  nextCursor: string | null
}

/** The place behind an item as an opaque string. */
const encodeCursor = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * The place that a cursor names; undefined without one.
 * Throws 422 when it is not a cursor of this list.
 */
export function decodeCursor<Place>(schema: z.ZodType<Place>, cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const place = schema.safeParse(readJson(cursor))
  if (place.success) return place.data
  throw invalid([{ path: 'cursor', message: 'Must be the nextCursor of this very list: leave it out to begin anew.' }])
}

/** One page of rows that were read with one more than `limit`, so that it is known whether more follow. */
export function pageOf<Item>(rows: Item[], limit: number, place: (last: Item) => unknown): PageOf<Item> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(place(last)) : null }
}

function readJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
