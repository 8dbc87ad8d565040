import { z } from 'zod'
import type { Input } from './samples.ts'

export type Path = string[]

/** Every scalar value of an input, with its path. */
export function leaves(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

/** The value at a path. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Input | undefined)?.[key], value)

/** A copy with another value at a path; missing objects and lists on the path are created. */
export function replaceAt(input: Input, path: Path, value: unknown): Input {
  const copy = structuredClone(input)
  let parent = copy
  path.slice(0, -1).forEach((key, at) => {
    if (typeof parent[key] !== 'object' || parent[key] === null) parent[key] = path[at + 1] === '0' ? [] : {}
    parent = parent[key] as Input
  })
  parent[path.at(-1) ?? ''] = value
  return copy
}

interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** The path of every field of a schema, nested ones too; the first item represents a list's. */
export function fieldsOf(schema: z.ZodType): Path[] {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  return [...new Map(within(json, []).map((path) => [path.join('.'), path])).values()]
}

const within = ({ properties = {}, items, anyOf = [], oneOf = [] }: JsonSchema, path: Path): Path[] => [
  ...Object.entries(properties).flatMap(([key, inner]) => [[...path, key], ...within(inner, [...path, key])]),
  ...(items ? [[...path, '0'], ...within(items, [...path, '0'])] : []),
  ...[...anyOf, ...oneOf].flatMap((inner) => within(inner, path)),
]
