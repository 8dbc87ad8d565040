import { Column, is, SQL } from 'drizzle-orm'

type Read = (value: unknown) => unknown
type Row = Record<string, unknown>

/**
 * Creates a function that converts rows of values, in the order of the selected fields, to objects; null when a field
 * isn't a column or an expression. Drizzle's own conversion takes three times as long as the query: 0.4 ms for 20 posts.
 */
export function rowReader(fields: Record<string, unknown>): ((values: readonly unknown[]) => Row) | null {
  const names = Object.keys(fields)
  const reads = Object.values(fields).map(readOf)
  if (reads.includes(null)) return null
  return (values) => {
    const row: Row = {}
    for (let at = 0; at < names.length; at++) {
      const value = values[at] ?? null
      row[names[at] ?? ''] = value === null ? null : reads[at]?.(value)
    }
    return row
  }
}

const unchanged: Read = (value) => value

function readOf(field: unknown): Read | null {
  if (is(field, Column)) {
    const same = field.mapFromDriverValue === Column.prototype.mapFromDriverValue
    return same ? unchanged : (value) => field.mapFromDriverValue(value)
  }
  if (is(field, SQL.Aliased)) return readOf(field.sql)
  if (is(field, SQL)) return decoderOf(field)
  return null
}

/** Drizzle's types hide the decoder of an expression. */
function decoderOf(field: SQL): Read | null {
  if (!('decoder' in field)) return null
  const { decoder } = field
  if (typeof decoder !== 'object' || decoder === null || !('mapFromDriverValue' in decoder)) return null
  const map = decoder.mapFromDriverValue
  return typeof map === 'function' ? (value): unknown => map.call(decoder, value) : null
}
