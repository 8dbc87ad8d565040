import { z } from 'zod'
import { preferredType } from '../request/context.ts'
import type { RequestFacts } from '../call.ts'
import { csvOf } from './csv.ts'
import { invalid } from '../errors.ts'
import type { Operation } from '../operation.ts'

export const listFormats = {
  json: ['application/json'],
  csv: ['text/csv'],
  ndjson: ['application/x-ndjson', 'application/ndjson'],
} as const

export type ListFormat = keyof typeof listFormats

export const formats = ['json', 'csv', 'ndjson'] as const satisfies ListFormat[]

export function itemSchemaOf({ route, output, streams, answers }: Operation): z.ZodType | null {
  if (!route.startsWith('GET ') || streams || answers || !(output instanceof z.ZodObject)) return null
  const { items, nextCursor } = output.shape
  return items instanceof z.ZodArray && nextCursor && items.element instanceof z.ZodType ? items.element : null
}

/**
 * From `?format=`, else `Accept`, else JSON, also when a view is preferred. @throws {Problem} 422 for an unknown one
 */
export function wantedFormat({ url, headers }: RequestFacts, { view }: Pick<Operation, 'view'>): ListFormat {
  const named = url.searchParams.getAll('format')
  if (named.length === 0) return headers.has('hx-request') ? 'json' : negotiatedFormat(headers, view !== undefined)
  const format = named.length === 1 && formats.find((each) => each === named[0])
  if (!format) throw invalid([{ path: 'format', message: `Must be one of: ${formats.join(', ')}.` }])
  return format
}

function negotiatedFormat(headers: Headers, hasView: boolean): ListFormat {
  const types: readonly string[] = formats.flatMap((format) => listFormats[format])
  const preferred = preferredType(headers, hasView ? [...types, 'text/html'] : types)
  return formats.find((format) => listFormats[format].some((type) => type === preferred)) ?? 'json'
}

const Page = z.object({ items: z.array(z.unknown()), nextCursor: z.string().nullable() })

export function writePage(
  format: Exclude<ListFormat, 'json'>,
  { item, name, page }: { item: z.ZodType; name: string; page: unknown },
  { url }: RequestFacts,
): { text: string; headers: Record<string, string> } {
  const { items, nextCursor } = Page.parse(page)
  const query = new URLSearchParams(url.searchParams)
  if (nextCursor !== null) query.set('cursor', nextCursor)
  return {
    text: format === 'csv' ? csvOf(item, items) : items.map((one) => `${JSON.stringify(one)}\n`).join(''),
    headers: {
      'Content-Type': `${listFormats[format][0]}${format === 'csv' ? '; charset=utf-8; header=present' : ''}`,
      'Content-Disposition': `attachment; filename="${name}.${format}"`,
      ...(nextCursor !== null && { Link: `<${url.pathname}?${query}>; rel="next"` }),
    },
  }
}
