import { refTo, type JsonSchema, type OpenApiDocument } from './document.ts'

export interface FieldDoc {
  name: string
  type: string
  schema?: string
  required: boolean
  notes: string[]
  fields: FieldDoc[]
}

const nameOf = (ref: string): string => ref.slice(refTo('').length)

export function formatFields(schema: JsonSchema): FieldDoc[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).map(([name, inner]) => formatField(name, inner, required.includes(name)))
}

export function formatField(name: string, schema: JsonSchema, required: boolean): FieldDoc {
  const named = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(withoutFields(schema)))?.[1]
  return {
    name,
    type: formatType(schema),
    ...(named && { schema: named }),
    required,
    notes: notesOf(schema),
    fields: formatFields(objectIn(schema)),
  }
}

export function formatType(schema: JsonSchema): string {
  const { $ref, type, format, items, anyOf, oneOf } = schema
  if ($ref) return nameOf($ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const kinds = anyOf ?? oneOf
  if (kinds) return [...new Set(kinds.map(formatType))].join(' | ')
  if (items && type === 'array') return formatListType(items)
  if (Array.isArray(type)) return type.join(' | ')
  return format ?? type ?? 'anything'
}

function formatListType(items: JsonSchema): string {
  if ('not' in items) return '[]'
  const type = formatType(items)
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

function objectIn({ items, anyOf, ...schema }: JsonSchema): JsonSchema {
  if (items) return objectIn(items)
  return anyOf?.map(objectIn).find(({ properties }) => properties) ?? schema
}

const withoutFields = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: undefined,
  ...(schema.items && { items: withoutFields(schema.items) }),
  ...(schema.anyOf && { anyOf: schema.anyOf.map(withoutFields) }),
})

/** zod's bound of an integer without bounds. */
const unbounded = Number.MAX_SAFE_INTEGER

function notesOf(schema: JsonSchema): string[] {
  const { description, minimum, maximum, minLength, maxLength, maxItems, pattern } = schema
  const upper = maximum === unbounded ? undefined : maximum
  const noteIf = (value: unknown, words: string) => (value === undefined ? [] : [words])
  return [
    ...noteIf(description, String(description)),
    ...noteIf(schema.default, `default ${JSON.stringify(schema.default)}`),
    ...noteIf(minimum === -unbounded ? undefined : minimum, `at least ${String(minimum)}`),
    ...noteIf(upper, `at most ${String(upper)}`),
    ...noteIf(minLength === 1 ? undefined : minLength, `at least ${String(minLength)} characters`),
    ...noteIf(maxLength, `at most ${String(maxLength)} characters`),
    ...noteIf(maxItems, `at most ${String(maxItems)} items`),
    ...noteIf(pattern, `matches ${String(pattern)}`),
  ]
}

export function schemasIn(part: unknown, document: OpenApiDocument, found = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    schemasIn(document.components.schemas[name], document, found)
  }
  return [...found].sort()
}
