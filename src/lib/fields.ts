import { Problem } from './errors.ts'

type Fields = { [key: string]: unknown }

/** How deep a field's name may nest: far beyond any form, and cheap to follow. */
const deepest = 12

const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Form fields or query parameters as the object that JSON would have sent: `target.id` nests,
 * `name[]` is always a list, `thread[0].text` is an item's field, a repeated name becomes a list.
 * Throws 400 for a name that nests deeper than 12 levels.
 */
export function toObject(entries: Iterable<[string, unknown]>): Fields {
  const root: Fields = {}
  for (const [name, value] of entries) {
    const path = name
      .replaceAll('[]', '.[]')
      .replace(/\[(\w+)\]/g, '.$1')
      .split('.', deepest + 1)
    if (path.length > deepest)
      throw new Problem(400, 'malformed', `The name of a field nests deeper than ${deepest} levels.`)
    if (!path.some((key) => forbidden.has(key))) put(root, path, value)
  }
  return listed(root)
}

function put(into: Fields, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) into[key] = key in into ? extended(asList(into[key]), value) : value
  else if (rest[0] === '[]') into[key] = extended(Array.isArray(into[key]) ? into[key] : [], value)
  else {
    const inner = isFields(into[key]) ? into[key] : {}
    into[key] = inner
    put(inner, rest, value)
  }
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** In place: copied for each of its values, a long list would take minutes. */
function extended(list: unknown[], value: unknown): unknown[] {
  list.push(value)
  return list
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Objects whose keys are 0, 1, 2 … are lists. */
function listed(fields: Fields): Fields {
  for (const [key, value] of Object.entries(fields)) {
    if (!isFields(value)) continue
    const inner = listed(value)
    const keys = Object.keys(inner)
    fields[key] = keys.length > 0 && keys.every((name) => /^\d+$/.test(name)) ? Object.values(inner) : inner
  }
  return fields
}
