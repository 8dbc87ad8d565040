import { Problem } from '../errors.ts'

type Fields = { [key: string]: unknown }

/** Without a prototype, since a field can be named `toString` or `__proto__`. */
const empty = (): Fields => Object.create(null)

const maxDepth = 12
export const maxFields = 1_000

/**
 * `target.id` nests, `name[]` is always a list, `thread[0].text` is an item's field, a repeated name becomes a list.
 * @throws {Problem} 400 for more than 1,000 fields, and for a name that nests deeper than 12 levels
 */
export function toObject(entries: Iterable<[string, unknown]>): Fields {
  const root = empty()
  let left = maxFields
  for (const [name, value] of entries) {
    if (left-- === 0) throw malformed(`There can be at most ${maxFields} fields.`)
    if (plainName.test(name)) root[name] = name in root ? append(asList(root[name]), value) : value
    else setField(root, pathOf(name), value)
  }
  return toPlainObject(root)
}

const malformed = (detail: string) => new Problem(400, 'malformed', detail)

const plainName = /^[^.[\]]*$/

function pathOf(name: string): string[] {
  const path = (name.includes('[') ? name.replaceAll('[]', '.[]').replaceAll(/\[(\w+)\]/g, '.$1') : name).split(
    '.',
    maxDepth + 1,
  )
  if (path.length > maxDepth) throw malformed(`A field name is nested more than ${maxDepth} levels deep.`)
  return path
}

function setField(root: Fields, path: readonly string[], value: unknown): void {
  let into = root
  for (let at = 0; at < path.length - 1; at++) {
    const key = path[at] ?? ''
    const known = into[key]
    if (path[at + 1] === '[]') {
      into[key] = append(Array.isArray(known) ? known : [], value)
      return
    }
    const inner = isFields(known) ? known : empty()
    into[key] = inner
    into = inner
  }
  const key = path.at(-1) ?? ''
  into[key] = key in into ? append(asList(into[key]), value) : value
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** Mutates the list: copying it for each value would be quadratic. */
function append(list: unknown[], value: unknown): unknown[] {
  list.push(value)
  return list
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

const toPlainObject = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, isFields(value) ? toListOrObject(value) : value]),
  )

function toListOrObject(fields: Fields): Fields | unknown[] {
  const keys = Object.keys(fields)
  const inner = toPlainObject(fields)
  return keys.length > 0 && keys.every((name) => /^\d+$/.test(name)) ? Object.values(inner) : inner
}
