import { z } from 'zod'
import { checkDeprecation } from '../deprecation.ts'
import { itemSchemaOf } from '../list-formats.ts'
import type { Operation } from '../operation.ts'
import type { HttpParts } from './parts.ts'
import { answerChallenge, receive } from './receive.ts'
import { StartupError } from '../startup-error.ts'
import type { Route } from './routes.ts'
import { runOperation } from './run-operation.ts'
import { showPage } from './show-page.ts'
import { socketRoute } from './sockets.ts'

/** Every route of the contexts. Throws a StartupError for one that is to go sooner than promised, or can't stream. */
export const declaredRoutes = (http: HttpParts): Route[] =>
  http.contexts.flatMap((context): Route[] => [
    ...Object.entries(context.operations).map((named): Route => {
      const [name, operation] = named
      const [method = '', path = ''] = operation.route.split(' ')
      if (operation.deprecated) checkDeprecation(name, operation.deprecated)
      if (operation.streams && method !== 'GET' && operation.transaction !== false)
        throw new StartupError(`${name} streams what it answers, so it has to declare "transaction: false".`)
      if (itemSchemaOf(operation) && operation.input instanceof z.ZodObject && 'format' in operation.input.shape)
        throw new StartupError(`${name} lists items, so "format" of its input chooses how they are written: rename it.`)
      if (operation.body?.as === 'stream') checkStreamed(name, operation)
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
        ...(challenge ? [{ method: 'GET', path, context, run: answering(http, { ...hook, challenge }) }] : []),
      ]
    }),
  ])

const answering =
  (http: HttpParts, hook: Parameters<typeof answerChallenge>[1]): Route['run'] =>
  (requestContext) =>
    answerChallenge(http, hook, requestContext)

/** A transaction must not wait for a client's network, and a signature needs the complete bytes. */
function checkStreamed(name: string, { transaction, signed }: Operation): void {
  if (transaction !== false)
    throw new StartupError(`${name} takes a stream, so it has to declare "transaction: false".`)
  if (signed) throw new StartupError(`${name} is signed, so it can't take a stream: its digest is checked first.`)
}
