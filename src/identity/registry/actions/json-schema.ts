import type { Ajv2020 } from 'ajv/dist/2020.js'

let cached: Ajv2020 | undefined

/** Formats are not checked. */
function loadValidator(): Ajv2020 {
  // Loaded on first use, since few servers sync actions of apps; a zod check can't await `import()`.
  const { Ajv2020: Dialect }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  return (cached ??= new Dialect({ strict: false, validateFormats: false }))
}

const dialectUrl = 'https://json-schema.org/draft/2020-12/schema'

/** Null when it is valid. */
export function jsonSchemaError({ $schema = dialectUrl, ...schema }: Record<string, unknown>): string | null {
  if (schema['type'] !== 'object') return 'Must be a JSON Schema whose type is object.'
  if ($schema !== dialectUrl) return `Must use the JSON Schema dialect ${dialectUrl}.`
  const dialect = loadValidator()
  if (dialect.validateSchema(schema) === true) return null
  const { instancePath, message } = dialect.errors?.[0] ?? {}
  return `Must be a valid JSON Schema: ${instancePath || 'it'} ${message ?? 'is malformed'}.`
}
