import { z } from 'zod'
import type { Actor } from '../actor.ts'
import { NotSignedIn, requireOwnSession } from '../authorize.ts'
import type { Askable, Call } from '../call.ts'
import type { Context } from '../context.ts'
import type { Operation } from '../operation.ts'
import { Stream } from '../reply.ts'
import type { RequestContext } from '../request/context.ts'
import { checkInput } from '../request/input.ts'
import { unpackReply } from '../response/respond.ts'
import { pathParameters } from '../route-path.ts'
import { permit } from './admission.ts'
import type { HttpDependencies } from './dependencies.ts'

export const createCall = (
  http: HttpDependencies,
  context: RequestContext,
  operation: string,
  actor: Actor | null,
  input: unknown,
): Call => ({
  ...http.provided,
  input,
  actor,
  operation,
  db: http.database.db,
  now: http.now,
  request: context.facts,
  context,
  get signal() {
    return context.signal
  },
  ask: (requested, given) => askOperation(http, context, requested, given),
})

async function askOperation<Given, Result>(
  http: HttpDependencies,
  requestContext: RequestContext,
  requested: Askable<Given, Result>,
  given: Given,
): Promise<Result> {
  const { route } = requested
  if (!route.startsWith('GET ')) throw new Error(`${route} is not a GET, so it can’t run within another request`)
  const { context, name, operation, parameters } = declarationOf(http.contexts, requested)
  const actor = await actorFor(http, requestContext, context, operation)
  const input = await checkInput(operation.input, given, parameters, operation.unknownFields)
  const returned = await operation.run(createCall(http, requestContext, name, actor, input))
  if (returned instanceof Stream) throw new Error(`${route} streams, so it can’t run within another request`)
  return checkResult(requested, unpackReply(returned, false).data)
}

/** @throws {Problem} 401 and 403 */
async function actorFor(
  http: HttpDependencies,
  { actor }: RequestContext,
  context: Context,
  { permission, callers, services, personal }: Operation,
): Promise<Actor | null> {
  if (permission === 'public') return null
  if (!actor) throw new NotSignedIn()
  if (permission === 'signed-in' && personal !== false) requireOwnSession(actor)
  return permit(http, actor, { context, permission, callers, services })
}

interface Declaration {
  context: Context
  name: string
  operation: Operation
  parameters: ReadonlySet<string>
}

const declarations = new WeakMap<readonly Context[], ReadonlyMap<object, Declaration>>()

function declarationOf(contexts: readonly Context[], operation: Pick<Operation, 'route'>): Declaration {
  const known = declarations.get(contexts) ?? new Map<object, Declaration>(declaredIn(contexts))
  declarations.set(contexts, known)
  const found = known.get(operation)
  if (!found) throw new Error(`${operation.route} isn’t declared by any context in this process`)
  return found
}

const declaredIn = (contexts: readonly Context[]) =>
  contexts.flatMap((context) =>
    Object.entries(context.operations).map(([name, operation]) => {
      const parameters = new Set(pathParameters(operation.route))
      return [operation, { context, name, operation, parameters }] as const
    }),
  )

/** Returns the result without fields that `output` doesn't name. @throws when it violates the contract */
export function checkResult<Result>(
  { route, output }: { route: string; output: z.ZodType<Result> },
  data: unknown,
): Result {
  if (isTakenAsItIs(output, data)) return data
  const { data: result, error: cause } = output.safeParse(data)
  if (cause) throw new Error(`The result of ${route} violates its contract`, { cause })
  return result
}

/** Parsing would only copy it. */
const isTakenAsItIs = <Result>(schema: z.ZodType<Result>, data: unknown): data is Result =>
  typeof data === 'object' && data !== null && !Array.isArray(data) && takesAnyFields(schema)

const takesAnyFields = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodObject &&
  schema.def.catchall instanceof z.ZodUnknown &&
  schema.def.checks === undefined &&
  Object.keys(schema.shape).length === 0
