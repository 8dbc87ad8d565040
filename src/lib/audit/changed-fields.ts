import type { Fields } from '../schema.ts'
import { truncate } from '../text.ts'

/** Fields whose values are never told, whatever table they come from. */
const secret = /password|secret|token|hash|credential|private|cookie|authorization|apikey/i
/** Sealed columns don't appear at all, and what moves by itself with every change says nothing. */
const omitted = /^sealed|^(updatedAt|version)$/
const masked = '[hidden]'
/** UTF-16 units of a text that are kept. */
const maxTextLength = 2000

/** What a change did: the fields that differ, or all where a thing came or went; secrets masked (PLT-24). */
export function changedFields(before?: object, after?: object): { before: Fields | null; after: Fields | null } {
  const [was, is] = [toPlainFields(before), toPlainFields(after)]
  const names = Object.keys({ ...was, ...is }).filter((name) => !Bun.deepEquals(was?.[name], is?.[name]))
  return { before: was && maskFields(was, names), after: is && maskFields(is, names) }
}

/** As JSON holds it: dates are texts, what is not there is left out. */
const toPlainFields = (fields: object | undefined): Fields | null =>
  fields ? JSON.parse(JSON.stringify(fields, (_, value: unknown) => value ?? undefined)) : null

const maskFields = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => name in fields && !omitted.test(name)).map((name) => [name, maskValue(name, fields[name])]),
  )

/** A value without the secrets in it; long texts are cut. */
function maskValue(name: string, value: unknown): unknown {
  if (secret.test(name)) return masked
  if (typeof value === 'string') return value.length > maxTextLength ? `${truncate(value, maxTextLength)}…` : value
  if (Array.isArray(value)) return value.map((item) => maskValue('', item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([inner, own]) => [inner, maskValue(inner, own)]))
}
