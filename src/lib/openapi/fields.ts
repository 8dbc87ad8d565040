import { refTo, type JsonSchema, type OpenApiDocument } from './document.ts'

/** A field of an object in the words of a reference. */
export interface ToldField {
  name: string
  /** Such as `string`, `Post[]` or `"draft" | "scheduled"`. */
  type: string
  /** The named schema in its type. */
  schema?: string
  required: boolean
  /** Bounds, the default and what the contract says of it. */
  notes: string[]
  fields: ToldField[]
}

const nameOf = (ref: string): string => ref.slice(refTo('').length)

/** The fields of an object; none of what has no fields of its own. */
export function fieldsTold(schema: JsonSchema): ToldField[] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).map(([name, inner]) => fieldTold(name, inner, required.includes(name)))
}

/** One field, or one parameter. */
export function fieldTold(name: string, schema: JsonSchema, required: boolean): ToldField {
  const named = /"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(withoutFields(schema)))?.[1]
  return {
    name,
    type: typeTold(schema),
    ...(named && { schema: named }),
    required,
    notes: notesOf(schema),
    fields: fieldsTold(objectIn(schema)),
  }
}

/** A type as TypeScript would write it, formats by their name. */
export function typeTold(schema: JsonSchema): string {
  const { $ref, type, format, items, anyOf, oneOf } = schema
  if ($ref) return nameOf($ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const kinds = anyOf ?? oneOf
  if (kinds) return [...new Set(kinds.map(typeTold))].join(' | ')
  if (items && type === 'array') return listTold(items)
  if (Array.isArray(type)) return type.join(' | ')
  return format ?? type ?? 'anything'
}

function listTold(items: JsonSchema): string {
  if ('not' in items) return '[]'
  const type = typeTold(items)
  return type.includes(' | ') ? `(${type})[]` : `${type}[]`
}

/** The object that a field is, may be, or holds many of. */
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

/** What zod says of an integer without bounds. */
const boundless = Number.MAX_SAFE_INTEGER

function notesOf(schema: JsonSchema): string[] {
  const { description, minimum, maximum, minLength, maxLength, maxItems, pattern } = schema
  const upper = maximum === boundless ? undefined : maximum
  const said = (value: unknown, words: string) => (value === undefined ? [] : [words])
  return [
    ...said(description, String(description)),
    ...said(schema.default, `default ${JSON.stringify(schema.default)}`),
    ...said(minimum === -boundless ? undefined : minimum, `at least ${String(minimum)}`),
    ...said(upper, `at most ${String(upper)}`),
    ...said(minLength === 1 ? undefined : minLength, `at least ${String(minLength)} characters`),
    ...said(maxLength, `at most ${String(maxLength)} characters`),
    ...said(maxItems, `at most ${String(maxItems)} items`),
    ...said(pattern, `matches ${String(pattern)}`),
  ]
}

/** The named schemas that something in the document leads to. */
export function schemasIn(part: unknown, document: OpenApiDocument, found = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    schemasIn(document.components.schemas[name], document, found)
  }
  return [...found].sort()
}
