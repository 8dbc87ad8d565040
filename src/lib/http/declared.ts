import { z } from 'zod'
import { checkDeprecation } from '../deprecation.ts'
import { itemSchemaOf } from '../response/list-formats.ts'
import type { Operation } from '../operation.ts'
import type { HttpDependencies } from './dependencies.ts'
import { answerChallenge, receive } from './receive.ts'
import { StartupError } from '../startup-error.ts'
import type { Route } from './routes.ts'
import { runOperation } from './run-operation.ts'
import { showPage } from './show-page.ts'
import { socketRoute } from './websocket.ts'

/**
 * The routes of all contexts.
 * @throws {StartupError} for an operation that declares options that exclude each other
 */
export const declaredRoutes = (http: HttpDependencies): Route[] =>
  http.contexts.flatMap((context): Route[] => [
    ...Object.entries(context.operations).map((named): Route => {
      const [name, operation] = named
      const [method = '', path = ''] = operation.route.split(' ')
      if (operation.deprecated) checkDeprecation(name, operation.deprecated)
      if (operation.streams && method !== 'GET' && operation.transaction !== false)
        throw new StartupError(`${name} streams its response, so it has to declare "transaction: false".`)
      if (itemSchemaOf(operation) && operation.input instanceof z.ZodObject && 'format' in operation.input.shape)
        throw new StartupError(`${name} lists items, so "format" in its input chooses their format: rename the field.`)
      if (operation.body?.as === 'stream') checkStreaming(name, operation)
      return {
        method,
        path,
        context,
        operation: named,
        run: (requestContext) => runOperation(http, context, named, requestContext),
      }
    }),
    ...context.pages.map((page): Route => {
      return {
        method: 'GET',
        path: page.path,
        context,
        run: (requestContext) => showPage(http, context, page, requestContext),
      }
    }),
    ...(context.sockets ?? []).map((socket) => socketRoute(http, context, socket)),
    ...context.webhooks.flatMap((hook): Route[] => {
      const { path, challenge } = hook
      return [
        { method: 'POST', path, context, run: (requestContext) => receive(http, hook, requestContext) },
        ...(challenge ? [{ method: 'GET', path, context, run: challengeHandler(http, { ...hook, challenge }) }] : []),
      ]
    }),
  ])

const challengeHandler =
  (http: HttpDependencies, hook: Parameters<typeof answerChallenge>[1]): Route['run'] =>
  (requestContext) =>
    answerChallenge(http, hook, requestContext)

/** A transaction must not wait for a client's network, and a signature needs the complete bytes. */
function checkStreaming(name: string, { transaction, signed }: Operation): void {
  if (transaction !== false)
    throw new StartupError(`${name} takes a stream, so it has to declare "transaction: false".`)
  if (signed) throw new StartupError(`${name} is signed, so it can’t take a stream: its digest is checked first.`)
}
