import Ajv, { type ValidateFunction } from 'ajv'
import { toObject } from '#lib/request/to-object.ts'
import params from './params.json'

export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  [other: string]: unknown
}

/** Values of a form are texts. */
const ajv = new Ajv({ coerceTypes: true, strict: false, allErrors: true })
const checks = new Map<string, ValidateFunction>()

const requests: Readonly<Record<string, object>> = params.requests
export const sdkVersion: string = params.sdk

/** Without the ID that an object has in a path. */
export const requestName = (method: string, path: string): string =>
  `${method} ${path.replace(/\/[a-z]+_[A-Za-z0-9_]*\d[A-Za-z0-9_]*/, '/:id')}`

/** The faults of a request by the parameter types of Stripe's SDK; one without parameters needs no type. */
export function faultsOf(name: string, form: string): string[] {
  const given = toObject(new URLSearchParams(form))
  const schema = requests[name]
  if (!schema) return form === '' ? [] : [`${name} has parameters, and no type`]
  const check = checks.get(name) ?? ajv.compile(schema)
  checks.set(name, check)
  if (check(given)) return []
  return (check.errors ?? []).map(
    ({ instancePath, message, params: facts }) => `${instancePath} ${message} ${JSON.stringify(facts)}`,
  )
}
