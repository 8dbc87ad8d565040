import { z } from 'zod'
import { invalid, notFound, type FieldError, type Problem } from '../errors.ts'

/** @throws {Problem} 404 for a malformed path parameter (`params`), else 422 with all invalid and unknown fields */
export async function checkInput(
  schema: z.ZodType,
  given: unknown,
  params: ReadonlySet<string>,
  unknownOnes?: 'ignored',
): Promise<unknown> {
  const parsed = await parse(schema, given)
  const unknown = unknownOnes === 'ignored' ? [] : unknownFields(schema, given, maxErrors)
  if (parsed.success && unknown.length === 0) return parsed.data
  const issues = parsed.error?.issues.slice(0, maxErrors) ?? []
  if (issues.some((issue) => issue.path.length > 0 && params.has(String(issue.path[0])))) throw notFound('object')
  throw invalid(
    [...issues.flatMap((issue) => errorsOf(issue, given)), ...unknown.map(unknownField)].slice(0, maxErrors),
  )
}

/** Schemas with a check that waits. Others are compiled by zod, which takes half the time. */
const waiting = new WeakSet<z.ZodType>()

type Parsed = z.ZodSafeParseResult<unknown>

function parse(schema: z.ZodType, given: unknown): Parsed | Promise<Parsed> {
  if (waiting.has(schema)) return schema.safeParseAsync(given)
  try {
    return schema.safeParse(given)
  } catch (error) {
    if (!(error instanceof z.core.$ZodAsyncError)) throw error
    waiting.add(schema)
    return schema.safeParseAsync(given)
  }
}

function errorsOf(issue: z.core.$ZodIssue, given: unknown): FieldError[] {
  const isOfType = issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union'
  const isMissing = isOfType && issue.path.length > 0 && valueAt(given, issue.path) === undefined
  return fieldErrors(issue).map((error) =>
    isMissing && error.message.startsWith('Must') ? { ...error, message: 'Required.' } : error,
  )
}

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    given,
  )

export const invalidInput = ({ issues }: z.ZodError): Problem =>
  invalid(issues.slice(0, maxErrors).flatMap(fieldErrors).slice(0, maxErrors))

export const unknownField = (path: readonly string[]): FieldError => ({
  path: path.join('.'),
  message: `Unknown field ${path.at(-1)}.`,
})

const maxErrors = 100

export function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: `Unknown field ${key}.` }))
  }
  return [{ path, message: messageOf(issue) }]
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message)) return issue.message
  if (issue.code === 'invalid_type') return typeMessage(issue)
  if (issue.code === 'invalid_value')
    return `Must be ${issue.values.length > 1 ? 'one of: ' : ''}${issue.values.map(String).join(', ')}.`
  if (issue.code === 'too_small') return boundMessage('at least', issue.minimum, issue.origin)
  if (issue.code === 'too_big') return boundMessage('at most', issue.maximum, issue.origin)
  if (issue.code === 'not_multiple_of') return `Must be a multiple of ${issue.divisor}.`
  if (issue.code === 'invalid_union') return 'Must have one of the forms in the API description.'
  const [, format] = /^Invalid ([\w -]+)$/.exec(issue.message) ?? []
  if (issue.code === 'invalid_format' && format) return `Must be a valid ${format}.`
  const [, rule] = /^Invalid [\w ]+: must (.+)$/.exec(issue.message) ?? []
  return rule ? `Must ${rule}.` : 'Must be a valid value.'
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

function typeMessage({ expected, message }: z.core.$ZodIssueInvalidType): string {
  if (message.endsWith('received undefined')) return 'Required.'
  return `Must be ${typeNames[expected] ?? `a valid ${expected}`}.`
}

function boundMessage(bound: 'at least' | 'at most', count: number | bigint, origin: string): string {
  if (origin === 'string') return `Enter ${bound} ${count} ${count === 1 ? 'character' : 'characters'}.`
  if (origin === 'array') return `Choose ${bound} ${count}.`
  return `Must be ${bound} ${count}.`
}

type Path = readonly string[]

const open = new WeakMap<z.core.$ZodType, boolean>()

/** Whether no data can have a field that the schema doesn't know, so that looking for one is of no use. */
function hasOnlyOpen(schema: z.core.$ZodType): boolean {
  const known = open.get(schema)
  if (known !== undefined) return known
  // Until it is known: a schema can contain itself.
  open.set(schema, false)
  const isOpen = partsOf(schema).every((part) => part !== null && hasOnlyOpen(part))
  open.set(schema, isOpen)
  return isOpen
}

/** Those in which `collectUnknown` looks for unknown fields; null for one that refuses them, or can't be told. */
function partsOf(schema: z.core.$ZodType): (z.core.$ZodType | null)[] {
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return [...Object.values(def.shape), def.catchall ?? null]
    case 'array':
      return [def.element]
    case 'record':
      return [def.valueType]
    case 'union':
      return [...def.options]
    case 'optional':
    case 'nullable':
    case 'default':
      return [def.innerType]
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return []
    default:
      return [null]
  }
}

/** Except those of schemas that take any field, or that answer for unknown ones themselves. */
export function unknownFields(schema: z.core.$ZodType, given: unknown, limit = 100): Path[] {
  const found: Path[] = []
  if (!hasOnlyOpen(schema)) collectUnknown(schema, given, [], { found, limit: limit })
  return found
}

interface Search {
  found: Path[]
  limit: number
}

const defOf = (schema: z.core.$ZodType): z.core.$ZodTypes['_zod']['def'] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion, no-underscore-dangle -- zod's own way for tools (zod.dev/library-authors)
  (schema as z.core.$ZodTypes)._zod.def

function collectUnknown(schema: z.core.$ZodType, value: unknown, path: Path, search: Search): void {
  if (typeof value !== 'object' || value === null || search.found.length >= search.limit) return
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return inObject(def, value, path, search)
    case 'array':
      return each(value, (inner, at) => collectUnknown(def.element, inner, [...path, at], search))
    case 'tuple':
      return each(value, (inner, at) => {
        const item = def.items[Number(at)] ?? def.rest
        if (item) collectUnknown(item, inner, [...path, at], search)
      })
    case 'record':
      return each(value, (inner, at) => collectUnknown(def.valueType, inner, [...path, at], search))
    case 'union':
      return void search.found.push(...fewestUnknown(def.options, value, path, search.limit))
    case 'intersection':
      return void search.found.push(...unknownInBoth(def.left, def.right, value, path, search.limit))
    case 'pipe':
      // A preprocessing step accepts anything, so the fields are those of its output.
      return collectUnknown(isTransform(def.in) ? def.out : def.in, value, path, search)
    case 'lazy':
      return collectUnknown(def.getter(), value, path, search)
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return collectUnknown(def.innerType, value, path, search)
    default:
  }
}

function inObject({ shape, catchall }: z.core.$ZodObjectDef, value: object, path: Path, search: Search): void {
  if (!isPlain(value)) return
  each(value, (inner, name) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : catchall
    if (field) collectUnknown(field, inner, [...path, name], search)
    else if (search.found.length < search.limit) search.found.push([...path, name])
  })
}

const isTransform = (schema: z.core.$ZodType): boolean => defOf(schema).type === 'transform'

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function each(value: object, visit: (inner: unknown, name: string) => void): void {
  for (const [name, inner] of Object.entries(value)) visit(inner, name)
}

function fewestUnknown(kinds: readonly z.core.$ZodType[], value: unknown, path: Path, limit: number): Path[] {
  let best: Path[] | undefined
  for (const kind of kinds) {
    const found: Path[] = []
    collectUnknown(kind, value, path, { found, limit })
    if (!best || found.length < best.length) best = found
  }
  return best ?? []
}

function unknownInBoth(
  left: z.core.$ZodType,
  right: z.core.$ZodType,
  value: unknown,
  path: Path,
  limit: number,
): Path[] {
  const [one, other] = [left, right].map((side) => {
    const found: Path[] = []
    collectUnknown(side, value, path, { found, limit })
    return found
  })
  const inOther = new Set(other?.map((known) => known.join('\0')))
  return one?.filter((field) => inOther.has(field.join('\0'))) ?? []
}
