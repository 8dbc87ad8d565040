import type { z } from 'zod'
import { findModel, type PracticeModel } from '../catalog.ts'
import { firstIssue, valueAt } from '../first-issue.ts'
import type { ProviderError } from '../provider-error.ts'
import { invalidRequest } from './wire.ts'

/** @throws {ProviderError} 400 for what the schema doesn't accept, as OpenAI says it */
export function check<Out>(schema: z.ZodType<Out>, input: unknown): Out {
  const { data, error, success } = schema.safeParse(input)
  if (success) return data
  throw toRefusal(firstIssue(error), input)
}

function toRefusal(issue: z.core.$ZodIssue, input: unknown): ProviderError {
  const param = pathOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const path = pathOf([...issue.path, key])
    const message =
      issue.path.length === 0 ? `Unrecognized request argument supplied: ${key}` : `Unknown parameter: '${path}'.`
    return invalidRequest(message, { param: path, code: 'unknown_parameter' })
  }
  const value = valueAt(input, issue.path)
  if (value === undefined)
    return invalidRequest(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' })
  switch (issue.code) {
    case 'invalid_type':
      return invalidType(param, nameOfType(issue.expected), value)
    case 'invalid_union':
      return issue.discriminator ? invalidValue(param, value) : invalidType(param, typesOf(issue), value)
    case 'invalid_value':
      return invalidValue(param, value, issue.values)
    case 'too_small':
    case 'too_big':
      return outOfRange(param, issue, value)
    case 'custom':
      return invalidRequest(issue.message, { param, code: 'invalid_value' })
    default:
      return invalidRequest(
        `Invalid '${param}'. Expected a value in the right format, but got a value with an invalid format.`,
        { param, code: 'invalid_value' },
      )
  }
}

const typesOf = ({ errors }: z.core.$ZodIssueInvalidUnion): string => {
  const expected = errors.flatMap(([first]) => (first?.code === 'invalid_type' ? nameOfType(first.expected) : []))
  return expected.length > 1 ? `one of ${expected.join(' or ')}` : (expected[0] ?? 'another type')
}

const invalidType = (param: string, expected: string, value: unknown) =>
  invalidRequest(`Invalid type for '${param}': expected ${expected}, but got ${describe(value)} instead.`, {
    param,
    code: 'invalid_type',
  })

const invalidValue = (param: string, value: unknown, supported: readonly unknown[] = []) =>
  invalidRequest(
    `Invalid value: ${quote(value)}.${supported.length > 0 ? ` Supported values are: ${supported.map(quote).join(', ')}.` : ''}`,
    { param, code: 'invalid_value' },
  )

const quote = (value: unknown): string =>
  typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? 'undefined')

function outOfRange(
  param: string,
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  value: unknown,
): ProviderError {
  const [side, sign, bound] =
    issue.code === 'too_small'
      ? (['below minimum', '>=', issue.minimum] as const)
      : (['above maximum', '<=', issue.maximum] as const)
  if (typeof value !== 'number') {
    const kind = Array.isArray(value) ? 'array' : 'string'
    const what = issue.code === 'too_small' ? 'short' : 'long'
    return invalidRequest(`Invalid '${param}': ${kind} too ${what}. Expected a length ${sign} ${bound}.`, {
      param,
      code: `${kind}_${issue.code === 'too_small' ? 'below_min_length' : 'above_max_length'}`,
    })
  }
  const kind = Number.isInteger(value) ? 'integer' : 'decimal'
  return invalidRequest(
    `Invalid '${param}': ${kind} ${side} value. Expected a value ${sign} ${bound}, but got ${value} instead.`,
    { param, code: `${kind}_${issue.code === 'too_small' ? 'below_min_value' : 'above_max_value'}` },
  )
}

/** As OpenAI writes it: `messages[0].content`. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? String(key) : `${text}.${String(key)}`),
    '',
  )

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a decimal',
  int: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}
const nameOfType = (type: string): string => typeNames[type] ?? type

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal'
  return nameOfType(typeof value)
}

/** @throws {ProviderError} 404 for an unknown model, and for one that can't do this */
export function requireModel(id: string, kind: PracticeModel['kind'], endpoint: string): PracticeModel {
  const model = findModel(id)
  if (!model)
    throw invalidRequest(`The model \`${id}\` does not exist or you do not have access to it.`, {
      status: 404,
      code: 'model_not_found',
    })
  if (model.kind !== kind)
    throw invalidRequest(`The model \`${id}\` is not supported in the v1/${endpoint} endpoint.`, {
      status: 404,
      param: 'model',
      code: 'model_not_found',
    })
  return model
}

/** The output limit of a request. @throws {ProviderError} 400 when it is more than the model supports */
export function outputLimit(model: PracticeModel, requested: number | null | undefined, param: string): number {
  if (requested === null || requested === undefined) return model.maxOutputTokens
  if (requested > model.maxOutputTokens)
    throw invalidRequest(
      `${param} is too large: ${requested}. This model supports at most ${model.maxOutputTokens} completion tokens, whereas you provided ${requested}.`,
      { param, code: 'invalid_value' },
    )
  return requested
}

/** @throws {ProviderError} 400 */
export function requireContext(model: PracticeModel, promptTokens: number, param: string): void {
  if (promptTokens <= model.contextTokens) return
  throw invalidRequest(
    `This model's maximum context length is ${model.contextTokens} tokens. However, your messages resulted in ${promptTokens} tokens. Please reduce the length of the messages.`,
    { param, code: 'context_length_exceeded' },
  )
}

const isSchema = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Structured outputs support a subset of JSON Schema. @throws {ProviderError} 400 */
export function requireStrictSchema(schema: unknown, what: string, param: string, context: string[] = []): void {
  if (!isSchema(schema)) return
  const { properties } = schema
  const refuse = (message: string) => {
    const place = `(${context.map((part) => `'${part}'`).join(', ')})`
    return invalidRequest(`Invalid schema for ${what}: In context=${place}, ${message}`, {
      param,
      code: what.startsWith('function') ? 'invalid_function_parameters' : 'invalid_json_schema',
    })
  }
  if (context.length === 0 && schema['type'] !== 'object' && !('$ref' in schema))
    throw refuse(`schema must be a JSON Schema of 'type: "object"', got 'type: ${quote(schema['type'] ?? 'None')}'.`)
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false)
      throw refuse("'additionalProperties' is required to be supplied and to be false.")
    const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    const missing = Object.keys(isSchema(properties) ? properties : {}).find((name) => !required.includes(name))
    if (missing)
      throw refuse(
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      )
  }
  const inner = (key: string, value: unknown) => requireStrictSchema(value, what, param, [...context, key])
  for (const group of ['properties', '$defs', 'definitions']) {
    const members = schema[group]
    if (isSchema(members)) for (const [name, value] of Object.entries(members)) inner(`${group}.${name}`, value)
  }
  if (schema['items']) inner('items', schema['items'])
  if (Array.isArray(schema['anyOf'])) schema['anyOf'].forEach((value, at) => inner(`anyOf.${at}`, value))
}
