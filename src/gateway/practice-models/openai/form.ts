import type { ProviderError } from '../provider-error.ts'
import { invalidRequest } from './wire.ts'

const numbers = new Set(['n', 'output_compression', 'partial_images', 'temperature'])
const flags = new Set(['stream'])
const lists = new Set(['timestamp_granularities'])

/**
 * The fields of a multipart form as an object, like the JSON of other endpoints: `image[]` is a list, and the numbers
 * and flags that OpenAI's forms have are values. @throws {ProviderError} 400 for a field that is sent twice
 */
export function toFields(form: FormData): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    const key = name.replace(/\[\]$/, '')
    if (key in fields) throw repeated(key)
    if (name.endsWith('[]') || lists.has(key)) fields[key] = values
    else if (values.length > 1) throw repeated(key)
    else fields[key] = toValue(key, values[0])
  }
  return fields
}

function toValue(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (numbers.has(key) && value.trim() !== '' && Number.isFinite(Number(value))) return Number(value)
  if (flags.has(key) && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

const repeated = (param: string): ProviderError =>
  invalidRequest(
    `Duplicate parameter: '${param}'. You provided multiple values for this parameter, whereas only one is allowed.`,
    {
      param,
      code: 'duplicate_parameter',
    },
  )
