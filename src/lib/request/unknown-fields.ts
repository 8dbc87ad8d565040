import type { z } from 'zod'

type Path = readonly string[]

/**
 * The paths of fields in `given` that `schema` doesn't name, so that none is dropped without a word; those of schemas
 * that take any field, or that answer for unknown ones themselves, are left out. `most` is where it stops looking.
 */
export function unknownFields(schema: z.core.$ZodType, given: unknown, limit = 100): Path[] {
  const found: Path[] = []
  collectUnknown(schema, given, [], { found, limit: limit })
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

/** An object of JSON or a form, not a file. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function each(value: object, visit: (inner: unknown, name: string) => void): void {
  for (const [name, inner] of Object.entries(value)) visit(inner, name)
}

/** By the alternative with the fewest unknown fields. */
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
