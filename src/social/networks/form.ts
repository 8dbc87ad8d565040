import type { z } from 'zod'
import { invalid } from '#lib/errors.ts'

/** The fields of a connect form. Throws 422 naming each field that isn't right. */
export function checkedForm<Form>(schema: z.ZodType<Form>, form: unknown): Form {
  const parsed = schema.safeParse(form)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })))
}
