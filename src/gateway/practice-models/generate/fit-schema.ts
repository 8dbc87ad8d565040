type Schema = Record<string, unknown>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const maxDepth = 12

/** A value that a JSON Schema accepts; the same one each time. */
export function fitSchema(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isSchema(schema)) return depth === 0 ? {} : null
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if ('default' in schema) return schema['default']
  if (typeof schema['$ref'] === 'string') return fitSchema(resolve(schema['$ref'], root), root, depth + 1)
  const variants = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(variants)) return fitVariant(variants, root, depth)
  if (Array.isArray(schema['allOf'])) return fitSchema(mergeAll(schema, schema['allOf'], root), root, depth + 1)
  const { type } = schema
  const [first] = Array.isArray(type) ? type.filter((one) => depth < maxDepth || one !== 'object') : [type]
  return fitType(first ?? (schema['properties'] ? 'object' : 'string'), schema, root, depth)
}

/** A recursive schema ends with the variant that has no more levels. */
function fitVariant(variants: unknown[], root: unknown, depth: number): unknown {
  const ending = variants.find((variant) => isSchema(variant) && variant['type'] === 'null')
  return fitSchema(depth >= maxDepth && ending ? ending : variants[0], root, depth + 1)
}

function resolve(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return {}
  return reference
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (isSchema(value) ? value[part] : undefined), root)
}

function mergeAll(schema: Schema, parts: unknown[], root: unknown): Schema {
  const { allOf: _, ...own } = schema
  const merged = [...parts, own].map((part) =>
    isSchema(part) && typeof part['$ref'] === 'string' ? resolve(part['$ref'], root) : part,
  )
  return merged.filter(isSchema).reduce(
    (all, part) => ({
      ...all,
      ...part,
      properties: { ...asSchema(all['properties']), ...asSchema(part['properties']) },
      required: [...asList(all['required']), ...asList(part['required'])],
    }),
    {},
  )
}

const asSchema = (value: unknown): Schema => (isSchema(value) ? value : {})
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function fitType(type: unknown, schema: Schema, root: unknown, depth: number): unknown {
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return fitNumber(schema, type === 'integer')
    case 'array':
      return fitArray(schema, root, depth)
    case 'object':
      return fitObject(schema, root, depth)
    default:
      return fitText(schema)
  }
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback)

function fitNumber(schema: Schema, whole: boolean): number {
  const step = numberOr(schema['multipleOf'], whole ? 1 : 0)
  const above = schema['exclusiveMinimum']
  const least = typeof above === 'number' ? above + (step || 0.5) : numberOr(schema['minimum'], -Infinity)
  const below = schema['exclusiveMaximum']
  const most = typeof below === 'number' ? below - (step || 0.5) : numberOr(schema['maximum'], Infinity)
  const value = Math.min(Math.max(1, least), most)
  return step === 0
    ? value
    : Math.ceil(Math.min(value, most) / step) * step > most
      ? Math.floor(value / step) * step
      : Math.ceil(value / step) * step
}

function fitArray(schema: Schema, root: unknown, depth: number): unknown[] {
  const { prefixItems } = schema
  if (Array.isArray(prefixItems)) return prefixItems.map((item) => fitSchema(item, root, depth + 1))
  const least = numberOr(schema['minItems'], depth >= maxDepth ? 0 : 1)
  const count = Math.min(least, numberOr(schema['maxItems'], least))
  return Array.from({ length: count }, () => fitSchema(schema['items'] ?? {}, root, depth + 1))
}

function fitObject(schema: Schema, root: unknown, depth: number): Schema {
  const properties = asSchema(schema['properties'])
  const required = asList(schema['required'])
  const names = Object.keys(properties).filter((name) => depth < maxDepth / 2 || required.includes(name))
  return Object.fromEntries(names.map((name) => [name, fitSchema(properties[name], root, depth + 1)]))
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

function fitText(schema: Schema): string {
  const { format } = schema
  const text = (typeof format === 'string' && byFormat[format]) || 'practice'
  const longEnough = text.padEnd(numberOr(schema['minLength'], 0), ' practice')
  return longEnough.slice(0, numberOr(schema['maxLength'], longEnough.length))
}
