import type { Fields } from '../schema.ts'
import { truncate } from '../text.ts'

/** Fields whose values are masked, in any table. */
const secret = /password|secret|token|hash|credential|private|cookie|authorization|apikey/i
/** Sealed columns, and fields that change with every update. */
const omitted = /^sealed|^(updatedAt|version)$/
const masked = '[hidden]'
/** UTF-16 units. */
const maxTextLength = 2000

/** The fields that differ, or all fields of a created or deleted object; secrets are masked (PLT-24). */
export function changedFields(before?: object, after?: object): { before: Fields | null; after: Fields | null } {
  const [was, is] = [toPlainFields(before), toPlainFields(after)]
  const names = Object.keys({ ...was, ...is }).filter((name) => !Bun.deepEquals(was?.[name], is?.[name]))
  return { before: was && maskFields(was, names), after: is && maskFields(is, names) }
}

/** Fields as JSON: dates are strings, null and undefined are left out. */
const toPlainFields = (fields: object | undefined): Fields | null =>
  fields ? JSON.parse(JSON.stringify(fields, (_, value: unknown) => value ?? undefined)) : null

const maskFields = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => name in fields && !omitted.test(name)).map((name) => [name, maskValue(name, fields[name])]),
  )

function maskValue(name: string, value: unknown): unknown {
  if (secret.test(name)) return masked
  if (typeof value === 'string') return value.length > maxTextLength ? `${truncate(value, maxTextLength)}…` : value
  if (Array.isArray(value)) return value.map((item) => maskValue('', item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([inner, own]) => [inner, maskValue(inner, own)]))
}
