import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'

type Schema = z.core.$ZodType
type Path = readonly string[]

/**
 * RFC 4180. Nested fields are named like `brand.name`, and lists are JSON. Text that a spreadsheet would run as a
 * formula is prefixed with `'`, also after `;`, tabs and line breaks, which begin a new cell in some. Decimal numbers
 * aren’t: they stay numbers, also negative ones.
 */
export function csvOf(item: z.ZodType, rows: readonly unknown[]): string {
  const columns = columnsOf([item], [])
  const header = columns.map((path) => path.join('.') || 'value')
  const lines = [header, ...rows.map((row) => columns.map((path) => cellOf(valueAt(row, path))))]
  return stringify(lines, { record_delimiter: 'windows', quoted_match: separators })
}

function columnsOf(schemas: readonly Schema[], path: Path): Path[] {
  const kinds = schemas.flatMap(kindsOf)
  const objects = kinds.filter((kind) => kind instanceof z.ZodObject)
  const isOpen =
    path.length > 0 && objects.some(({ def: { catchall } }) => catchall && !(catchall instanceof z.ZodNever))
  const fields = new Map<string, Schema[]>()
  for (const { shape } of objects)
    for (const [name, field] of Object.entries<Schema>(shape)) fields.set(name, [...(fields.get(name) ?? []), field])
  if (objects.length < kinds.length || isOpen || fields.size === 0) return [path]
  return [...fields].flatMap(([name, inner]) => columnsOf(inner, [...path, name]))
}

function kindsOf(schema: Schema): Schema[] {
  if (schema instanceof z.ZodNull || schema instanceof z.ZodUndefined) return []
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(kindsOf)
  if (schema instanceof z.ZodPipe) return kindsOf(schema.out)
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  )
    return kindsOf(schema.unwrap())
  return [schema]
}

const valueAt = (row: unknown, path: Path): unknown =>
  path.reduce((value, name) => (isRecord(value) ? value[name] : undefined), row)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return decimal.test(value) ? value : value.replaceAll(formulaStart, "$&'")
  return JSON.stringify(value).replaceAll(';', '\\u003b')
}

const decimal = /^-?\d+(\.\d+)?$/

/** Includes full-width signs, which spreadsheets of East Asian locales treat alike. */
const formulaStart =
  /(?:^|[;\t])(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])(?!-\))|[\r\n](?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?!-\))/g

const separators = /[;\t\r\n]/
