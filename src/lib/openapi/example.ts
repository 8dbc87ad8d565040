import { exampleId } from '../ids.ts'
import { refTo, type JsonSchema, type OpenApiDocument } from './document.ts'

const formats: Record<string, string> = {
  uuid: exampleId,
  'date-time': '2026-11-21T10:20:00.000Z',
  uri: 'https://example.com/',
  email: 'ada@example.com',
}

const maxDepth = 6

export function exampleOf(schema: JsonSchema, document: OpenApiDocument, only: 'required' | 'all', depth = 0): unknown {
  const inner = (part: JsonSchema) => exampleOf(part, document, only, depth + 1)
  const { $ref, type, format, items, properties, required = [] } = schema
  if (depth > maxDepth) return null
  if ($ref) return inner(document.components.schemas[$ref.slice(refTo('').length)] ?? {})
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  const [kind] = schema.anyOf ?? schema.oneOf ?? []
  if (kind) return inner(kind)
  if (properties) {
    const shown = Object.entries(properties).filter(([name]) => only === 'all' || required.includes(name))
    return Object.fromEntries(shown.map(([name, part]) => [name, inner(part)]))
  }
  if (items) return 'not' in items ? [] : [inner(items)]
  return plainExample(Array.isArray(type) ? type[0] : type, format, schema)
}

function plainExample(type: string | undefined, format: string | undefined, { minimum }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return typeof minimum === 'number' && minimum > 0 ? minimum : 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type === 'null') return null
  return formats[format ?? ''] ?? '…'
}
