import { z } from 'zod'
import { isStorable } from '#lib/text.ts'
import { invalidRequest, StripeError } from './error.ts'
import type { Fields } from './form.ts'

const maxInteger = 999_999_999_999

export const text = (maxLength = 5000) => z.string().min(1).max(maxLength).refine(isStorable, 'Invalid characters')

export const integer = (min = 0, max = maxInteger) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(min).max(max),
  )

export const flag = z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())

export const list = <Item extends z.ZodType>(item: Item, max = 100) =>
  z.preprocess((value) => (isNumbered(value) ? Object.values(value) : value), z.array(item).max(max))

const isNumbered = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key))

/** An empty string clears the value, which becomes null. */
export const clearable = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (given === '' ? null : given), value.nullable())

/** An empty value deletes its key. */
export const metadata = z.record(z.string().min(1).max(40).refine(isStorable), z.string().max(500).refine(isStorable))

export const webUrl = z.url({ protocol: /^https?$/ }).max(5000)
export const email = z
  .string()
  .max(512)
  .regex(/^[^\s@]+@[^\s@]+$/)

export const address = z.strictObject({
  city: text().optional(),
  country: text(2).optional(),
  line1: text().optional(),
  line2: text().optional(),
  postal_code: text().optional(),
  state: text().optional(),
})

/** Unix seconds in the range of the database’s column. */
const moment = integer(0, 2_147_483_647)
const bound = moment.optional()
export const timeRange = z.union([moment, z.strictObject({ gt: bound, gte: bound, lt: bound, lte: bound })])

/**
 * A schema whose fields Stripe’s type of the same parameters has, with values of its types: the compiler refuses others.
 */
export const paramsOf =
  <Allowed>() =>
  <Schema extends z.ZodType<Allowed>>(
    schema: Schema & (Exclude<keyof z.output<Schema>, keyof Allowed> extends never ? unknown : 'unknown to Stripe'),
  ): Schema =>
    schema

/** @throws {StripeError} as Stripe describes the first wrong parameter */
export function parseParams<Output>(schema: z.ZodType<Output>, given: Fields): Output {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw toStripeError(pickIssue(parsed.error.issues), given)
}

type Issue = z.core.$ZodIssue

function pickIssue(issues: readonly Issue[]): Issue {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) throw new Error('A schema failed without an issue')
  if (issue.code !== 'invalid_union') return issue
  const deepest = issue.errors
    .flatMap((each) => (each.length > 0 ? [pickIssue(each)] : []))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  return deepest && deepest.path.length > 0 ? { ...deepest, path: [...issue.path, ...deepest.path] } : issue
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path.map((part, at) => (at === 0 ? String(part) : `[${String(part)}]`)).join('')

function toStripeError(issue: Issue, given: Fields): StripeError {
  const param = nameOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const name = nameOf([...issue.path, issue.keys[0] ?? ''])
    return invalidRequest(`Received unknown parameter: ${name}`, name, 'parameter_unknown')
  }
  const value = valueAt(given, issue.path)
  if (value === undefined) return invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing')
  if (value === '')
    return invalidRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      param,
      'parameter_invalid_empty',
    )
  const shown = typeof value === 'string' ? value : 'hash'
  if (issue.code === 'invalid_value')
    return invalidRequest(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, param)
  if (issue.code === 'invalid_type') return wrongType(issue.expected, param, shown)
  if (issue.code === 'too_small' && issue.origin === 'int')
    return invalidRequest(
      `Invalid integer: ${param} must be at least ${String(issue.minimum)}`,
      param,
      'parameter_invalid_integer',
    )
  return invalidRequest(`Invalid ${param}: ${shown.slice(0, 100)}`, param, invalidCodes[param.split('[').at(-1) ?? ''])
}

const invalidCodes: Record<string, string> = { email: 'email_invalid', url: 'url_invalid', success_url: 'url_invalid' }

function wrongType(expected: string, param: string, shown: string): StripeError {
  if (expected === 'int' || expected === 'number')
    return invalidRequest(`Invalid integer: ${shown}`, param, 'parameter_invalid_integer')
  if (expected === 'boolean') return invalidRequest(`Invalid boolean: ${shown}`, param)
  if (expected === 'array') return invalidRequest('Invalid array', param)
  if (expected === 'string') return invalidRequest(`Invalid string: ${shown}`, param, 'parameter_invalid_string')
  return invalidRequest('Invalid hash', param)
}

const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  )

/** Adds, changes and, by an empty value, deletes keys. Null deletes all. @throws {StripeError} for more than 50 keys */
export function mergeMetadata(
  known: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> | null | undefined,
): Record<string, string> {
  if (change === undefined) return { ...known }
  if (change === null) return {}
  const merged = Object.fromEntries(Object.entries({ ...known, ...change }).filter(([, value]) => value !== ''))
  if (Object.keys(merged).length > 50)
    throw invalidRequest('Metadata can have up to 50 keys', 'metadata', 'parameter_invalid')
  return merged
}
