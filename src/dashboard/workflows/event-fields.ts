import { z } from 'zod'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'

interface JsonSchema {
  type?: unknown
  properties?: unknown
  anyOf?: unknown
  oneOf?: unknown
  allOf?: unknown
}

const maxDepth = 3
const known = new Map<string, readonly string[]>()

/** Of a schedule, whose data is only when it was planned. */
export const scheduleFields: readonly string[] = ['plannedAt']

/** The dotted names of the single values in an event's data; lists are left out. */
export function fieldsOf({ type, data }: Pick<OfferedEvent, 'type' | 'data'>): readonly string[] {
  const fields = known.get(type) ?? [
    ...new Set(walk(z.toJSONSchema(data, { unrepresentable: 'any', io: 'output' }), [])),
  ]
  known.set(type, fields)
  return fields
}

function walk(schema: JsonSchema, path: readonly string[]): string[] {
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf)
  if (variants.length > 0) return variants.flatMap((variant) => walk(variant, path))
  if (isRecord(schema.properties) && path.length < maxDepth)
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      isRecord(inner) ? walk(inner, [...path, name]) : [],
    )
  const isSingle = schema.type !== 'array' && schema.type !== 'object' && schema.type !== 'null'
  return isSingle && path.length > 0 ? [path.join('.')] : []
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export type EventData = Readonly<Record<string, unknown>>

/** The value at a dotted name; undefined without one. */
export const valueOf = (data: EventData, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), data)

/** Data with a value for each field: the given one, or an example. */
export function exampleData(
  fields: readonly string[],
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const field of fields) {
    const names = field.split('.')
    const last = names.pop() ?? field
    const inner = names.reduce<Record<string, unknown>>((object, name) => {
      const next = object[name]
      if (isRecord(next)) return next
      const created: Record<string, unknown> = {}
      object[name] = created
      return created
    }, data)
    inner[last] = given[field] ?? `Example ${field}`
  }
  return data
}
