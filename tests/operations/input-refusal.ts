import { Problem, type FieldError } from '#lib/errors.ts'
import { toObject } from '#lib/request/to-object.ts'
import { checkInput } from '#lib/request/input.ts'
import { requestFor } from './send-request.ts'
import { paramsOf, type Declared } from './every.ts'
import type { Input } from './samples.ts'

/** The refusal of an input by its schema, as the server would send it. */
export interface Refusal {
  status: number
  errors: readonly FieldError[]
}

/**
 * Validates an input against its operation's schema in this process, as the server would read it from a request.
 * @throws every other error: over HTTP it would be a 500.
 */
export async function inputRefusal(operation: Declared, input: Input, way: 'json' | 'form'): Promise<Refusal | null> {
  const given = way === 'json' && operation.method !== 'GET' ? fromJson(input) : fromText(operation, input)
  try {
    await checkInput(operation.input, given, new Set(paramsOf(operation.path)))
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { status: error.status, errors: error.options.errors ?? [] }
  }
}

const fromJson = (input: Input): unknown => JSON.parse(JSON.stringify(input))

/** A decoded form or query; path parameters take precedence. */
function fromText({ path }: Declared, input: Input): unknown {
  const { route } = requestFor({ method: 'GET', path }, input)
  const params = paramsOf(path).map((name) => [name, String(input[name])])
  return { ...toObject(new URLSearchParams(route.split('?')[1])), ...Object.fromEntries(params) }
}
