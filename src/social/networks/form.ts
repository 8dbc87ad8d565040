import type { z } from 'zod'
import { invalid } from '#lib/errors.ts'
import { fieldErrors, unknownField } from '#lib/input.ts'
import { unknownFields } from '#lib/unknown-fields.ts'

/** Fields that every connect form has. */
const common = new Set(['platform', 'brandId'])

/** The fields of a connect form. Throws 422 naming each field that isn't right, or that the network doesn't know. */
export function checkedForm<Form>(schema: z.ZodType<Form>, form: unknown): Form {
  const parsed = schema.safeParse(form)
  const unknown = unknownFields(schema, form).filter(([name = '']) => !common.has(name))
  if (parsed.success && unknown.length === 0) return parsed.data
  const broken = parsed.error?.issues.flatMap(fieldErrors) ?? []
  throw invalid([...broken, ...unknown.map(unknownField)])
}
