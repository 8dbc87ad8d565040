import { asc, desc, is, Column, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { invalid } from './errors.ts'
import { Id } from './ids.ts'

export const Cursor = z.string().max(500).optional()

export const defaultLimit = 20

/** Items per page: 1 to 100 (PLT-12). */
export const Limit = z.coerce
  .number('Must be a number.')
  .int()
  .min(1, 'Must be at least 1.')
  .max(100, 'Must be at most 100.')
  .default(defaultLimit)

export const paging = { limit: Limit, cursor: Cursor }

export interface PageOf<Item> {
  items: Item[]
  nextCursor: string | null
}

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

interface PageQuery {
  limit: number
  cursor?: string
}

interface Slice<Place> {
  where: SQL | undefined
  values: Record<string, unknown> | undefined
  order: SQL[]
  limit: number
  page<Row extends Place>(rows: Row[]): PageOf<Row>
  pageBy<Row>(rows: Row[], placeOf: (row: Row) => Place, part?: PageOptions<Place>): PageOf<Row>
}

interface PageOptions<Place> {
  maxItems?: number
  /** The last row that was looked at, when more rows follow it: the next page begins after it if this one isn't full. */
  end?: Place
}

export interface Keyset<Place> {
  order: SQL[]
  behind(place: Place): SQL
  behindPlaceholders: SQL
  untilPlaceholders: SQL
  untilValues(place: Place): Record<string, unknown>
  /** @throws {Problem} 422 for a cursor of another list */
  slice(query: PageQuery): Slice<Place>
}

type KeyColumn<Value> = readonly [column: Column | SQL, schema: z.ZodType<Value>]

/**
 * Columns that are unique together, with the schemas of their values in a cursor (PLT-12). A page begins after the last
 * row of the one before, regardless of what was inserted or deleted since.
 */
export function keyset<Place extends object>(
  columns: { [Key in keyof Place]: KeyColumn<Place[Key]> },
  direction: 'asc' | 'desc' = 'asc',
): Keyset<Place> {
  const keys = Object.entries<KeyColumn<unknown>>(columns)
  const schema = z.strictObject(Object.fromEntries(keys.map(([key, [, value]]) => [key, value])))
  const order = keys.map(([, [column]]) => (direction === 'asc' ? asc(column) : desc(column)))
  const left = list(keys.map(([, [column]]) => sql`${column}`))
  const after = direction === 'asc' ? '>' : '<'
  const upTo = direction === 'asc' ? '<=' : '>='
  const compare = (operator: string, valueOf: (key: string) => unknown) => {
    const right = keys.map(([key, [column]]) =>
      is(column, Column) ? sql`${sql.param(valueOf(key), column)}` : sql`${valueOf(key)}`,
    )
    return sql`${left} ${sql.raw(operator)} ${list(right)}`
  }
  const placeholder = (key: string) => `cursor_${key}`
  const untilPlaceholder = (key: string) => `until_${key}`
  const valuesFor = (place: object, nameOf: (key: string) => string) =>
    Object.fromEntries(Object.entries(place).map(([key, value]) => [nameOf(key), value]))
  const behindPlace = (place: object) => {
    const values = new Map(Object.entries(place))
    return compare(after, (key) => values.get(key))
  }
  const decode = (cursor: string | undefined) => (cursor === undefined ? undefined : decodePlace(schema, cursor))
  const encode = (place: object) => {
    const values = new Map(Object.entries(place))
    return encodeCursor(Object.fromEntries(keys.map(([key]) => [key, values.get(key)])))
  }
  return {
    order,
    behind: behindPlace,
    behindPlaceholders: compare(after, (key) => sql.placeholder(placeholder(key))),
    untilPlaceholders: compare(upTo, (key) => sql.placeholder(untilPlaceholder(key))),
    untilValues: (place) => valuesFor(place, untilPlaceholder),
    slice: ({ limit, cursor }) => {
      const place = decode(cursor)
      const pageBy = <Row>(
        rows: Row[],
        placeOf: (row: Row) => Place,
        { maxItems = limit, end }: PageOptions<Place> = {},
      ): PageOf<Row> => {
        const items = rows.slice(0, maxItems)
        const last = items.at(-1)
        const next = rows.length > maxItems && last ? placeOf(last) : end
        return { items, nextCursor: next ? encode(next) : null }
      }
      const page = <Row extends Place>(rows: Row[]) => pageBy(rows, (row) => row)
      return {
        where: place && behindPlace(place),
        values: place && valuesFor(place, placeholder),
        order,
        limit: limit + 1,
        page,
        pageBy,
      }
    },
  }
}

export const byId = (column: Column, direction: 'asc' | 'desc' = 'asc'): Keyset<{ id: string }> =>
  keyset({ id: [column, Id] }, direction)

const list = (values: SQL[]): SQL => sql`(${sql.join(values, sql`, `)})`

export const encodeCursor = (place: object): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/** @throws {Problem} 422 for a cursor of another list */
export function decodePlace<Place extends object>(schema: z.ZodType<Place>, cursor: string): Place {
  const place = schema.safeParse(readJson(Buffer.from(cursor, 'base64url').toString())).data
  if (place && Object.values(place).every(isStorable)) return place
  throw invalid([
    { path: 'cursor', message: 'Must be the nextCursor of this list. Leave it out to start from the first page.' },
  ])
}

/** PostgreSQL fails on text with a zero byte. */
const isStorable = (value: unknown): boolean => typeof value !== 'string' || !value.includes('\0')

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
