import { z } from 'zod'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'

interface JsonSchema {
  type?: unknown
  format?: unknown
  enum?: unknown
  const?: unknown
  properties?: unknown
  anyOf?: unknown
  oneOf?: unknown
  allOf?: unknown
}

type Single = string | number | boolean
export type Examples = ReadonlyMap<string, Single>

const maxDepth = 3
const known = new Map<string, Examples>()

/** Of a schedule, whose data is only when it was planned. */
export const scheduleFields: readonly string[] = ['plannedAt']

/** The dotted names of the single values in an event's data, each with an example; lists are left out. */
export function examplesOf({ type, data }: Pick<OfferedEvent, 'type' | 'data'>): Examples {
  const found = known.get(type)
  if (found) return found
  const examples = new Map<string, Single>()
  for (const [name, example] of walk(z.toJSONSchema(data, { unrepresentable: 'any', io: 'output' }), []))
    if (!examples.has(name)) examples.set(name, example)
  known.set(type, examples)
  return examples
}

export const fieldsOf = (event: Pick<OfferedEvent, 'type' | 'data'>): readonly string[] => [...examplesOf(event).keys()]

function walk(schema: JsonSchema, path: readonly string[]): [string, Single][] {
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf)
  if (variants.length > 0) return variants.flatMap((variant) => walk(variant, path))
  if (isRecord(schema.properties) && path.length < maxDepth)
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      isRecord(inner) ? walk(inner, [...path, name]) : [],
    )
  const isSingle = schema.type !== 'array' && schema.type !== 'object' && schema.type !== 'null'
  return isSingle && path.length > 0 ? [[path.join('.'), exampleOf(schema, path.join('.'))]] : []
}

function exampleOf({ type: of, format, enum: choices, const: only }: JsonSchema, name: string): Single {
  const type: unknown = Array.isArray(of) ? of.find((each) => each !== 'null') : of
  const [first = only]: unknown[] = Array.isArray(choices) ? choices : []
  if (typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean') return first
  if (type === 'integer' || type === 'number') return 1000
  if (type === 'boolean') return true
  if (format === 'date-time') return '2026-01-05T09:00:00.000Z'
  if (format === 'date') return '2026-01-05'
  if (format === 'uuid') return '00000000-0000-7000-8000-000000000001'
  return `Example ${name}`
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isRecord) : [])

export type EventData = Readonly<Record<string, unknown>>

/** The value at a dotted name; undefined without one. */
export const valueOf = (data: EventData, field: string): unknown =>
  field.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), data)

/** Data with a value for each field: the given one, or its example. */
export function exampleData(
  examples: Examples,
  given: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [field, example] of examples) {
    const names = field.split('.')
    const last = names.pop() ?? field
    const inner = names.reduce<Record<string, unknown>>((object, name) => {
      const next = object[name]
      if (isRecord(next)) return next
      const created: Record<string, unknown> = {}
      object[name] = created
      return created
    }, data)
    inner[last] = given[field] ?? example
  }
  return data
}
