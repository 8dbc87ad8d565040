import type { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { fieldErrors, unknownField, unknownFields } from '#lib/request/input.ts'

const commonFields = new Set(['platform', 'brandId', 'unsavedId'])

/** @throws {Problem} 422 naming each wrong or unknown field of a connect form */
export function parseForm<Form>(schema: z.ZodType<Form>, form: unknown): Form {
  const parsed = schema.safeParse(form)
  const unknown = unknownFields(schema, form).filter(([name = '']) => !commonFields.has(name))
  if (parsed.success && unknown.length === 0) return parsed.data
  const errors = parsed.error?.issues.flatMap(fieldErrors) ?? []
  throw invalid([...errors, ...unknown.map(unknownField)])
}
