import { z } from 'zod'

// Forms send every field, with an empty string for one that is not filled in or not chosen.

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
