import { z } from 'zod'

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** A text field of at most `maxLength` UTF-16 units. `missing` is the message when it is absent. */
export const plainText = (maxLength: number, missing?: string) =>
  z.string(missing).max(maxLength).refine(isStorable, 'Must be text without invalid characters.')

/** A text field without line breaks, other control characters and those that reverse the text after them, such as a name. */
export const lineText = (maxLength: number, missing?: string) =>
  plainText(maxLength, missing)
    .trim()
    .refine((text) => !/[\p{Cc}\u202D\u202E]/u.test(text), 'Must be a single line without control characters.')

/** A checkbox, or a boolean of JSON. */
export const Flag = z.union([z.boolean(), z.stringbool()], 'Must be true or false.')

export const sanitizeText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Cuts a text to `maxLength` UTF-16 units without splitting a surrogate pair. */
export const truncate = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A name with hyphens as a title: `api-keys` is `API keys`. */
export const titleOfName = (name: string): string =>
  capitalize(name.replaceAll('-', ' ')).replace(/^(?:Api|Mcp)\b/, (word) => word.toUpperCase())

/** An optional field: an empty string counts as absent. */
export const optionalField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

/** A field that can be cleared: an empty string counts as null. */
export const nullableField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable())

/** A parameter of a page that counts as absent when it is invalid, as in an outdated link. */
export const ignoreInvalid = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined)

/** A list without its empty items, or without the items whose `field` is empty. */
export const withoutEmpty = <Schema extends z.ZodType>(schema: Schema, field?: string) =>
  z.preprocess(
    (value) => (Array.isArray(value) ? value.filter((item: unknown) => valueOf(item, field) !== '') : value),
    schema,
  )

const valueOf = (item: unknown, field: string | undefined): unknown =>
  field !== undefined && typeof item === 'object' && item !== null ? Reflect.get(item, field) : item

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
