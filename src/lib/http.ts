import { Elysia } from 'elysia'
import { z } from 'zod'
import { checkDeprecation } from './deprecation.ts'
import { Problem } from './errors.ts'
import { admitStray, setLimitHeaders } from './http/admission.ts'
import { answer, observe } from './http/answer.ts'
import { createCall } from './http/create-call.ts'
import type { Handler, HttpDependencies } from './http/dependencies.ts'
import { setDeprecationHeaders } from './http/deprecation-headers.ts'
import { failureResponse } from './http/listen.ts'
import { answerChallenge, receive } from './http/receive.ts'
import {
  selectRoute,
  scopeOf,
  type HostScope,
  claimRoute,
  headersAt,
  methodsAt,
  routesAt,
  unmatchedProblem,
  type Route,
  type Routes,
} from './http/routes.ts'
import { runOperation } from './http/run-operation.ts'
import { showPage } from './http/show-page.ts'
import { socketRoute } from './http/websocket.ts'
import { mcpRoute } from './mcp/route.ts'
import type { Operation } from './operation.ts'
import { createRequestContext, factsOf, withFormMethod, type RequestContext } from './request/context.ts'
import { preflight, setCors } from './request/origin.ts'
import type { Upgrade } from './request/upgrade.ts'
import { itemSchemaOf } from './response/list-formats.ts'
import { pathParameters } from './route-path.ts'
import { StartupError } from './startup-error.ts'

export type { Handler, HttpDependencies } from './http/dependencies.ts'

export function createHandler(http: HttpDependencies): Handler {
  const router = new Elysia()
  const routes: Routes = new Map()
  /** Paths without parameters, which need no router. */
  const exact = new Map<string, (context: RequestContext) => Promise<Response>>()

  const respondTo = (context: RequestContext, run: (place: HostScope) => Promise<Response>): Promise<Response> =>
    answer(http, context, () => run(scopeOf(http.hosts, context.facts.url.hostname)))

  const add = ({ method, path }: Route) => {
    const names = pathParameters(path)
    // Elysia accepts one parameter name per segment, but routes of different services can name it differently.
    const positional = names.reduce((text, name, at) => text.replace(`:${name}`, `:p${at}`), path)
    const candidates = routesAt(routes, method, path)
    const run = (context: RequestContext, params: Record<string, string | null>) =>
      respondTo(context, async (place) => {
        const route = selectRoute(candidates, place, context.facts.url, http.paths.shared)
        context.route = route
        if (names.length > 0)
          context.params = Object.fromEntries(names.map((name, at) => [name, params[`p${at}`] ?? '']))
        return route.run(context)
      })
    if (/^[\w/.-]+$/.test(path)) exact.set(`${method} ${path}`, (context) => run(context, {}))
    const handler = ({ request: routed, params }: { request: Request; params: Record<string, string | null> }) =>
      run(contextOf(routed), params)
    router.route(method, positional, handler, { parse: 'none', config: {} })
  }

  const declared = [...declaredRoutes(http), ...(http.mcp ? [mcpRoute(http, http.mcp, handle)] : [])]
  for (const route of declared) claimRoute(routes, http.paths, route)
  for (const route of declared) if (routesAt(routes, route.method, route.path)[0] === route) add(route)
  router.onError(({ request: routed }) => {
    const context = contextOf(routed)
    const { request, facts } = context
    return respondTo(context, async (place) => {
      await admitStray(http, context)
      throw unmatchedProblem(request.method, methodsAt(routes, facts.url.pathname, place.isOpen))
    })
  })

  return handle

  async function handle(
    sent: Request,
    address: string | null = null,
    upgrade?: Upgrade,
    keepOpen?: () => void,
  ): Promise<Response> {
    const request = withFormMethod(sent)
    const url = URL.parse(request.url)
    const facts = factsOf(request, url ?? readableUrl(request), address, http.trustedProxies)
    const context = createRequestContext(request, facts, { upgrade, keepOpen })
    try {
      const system = http.systemRoutes.get(facts.url.pathname.split('/', 2)[1] ?? '')
      const systemResponse = url && system && (await answer(http, context, async () => system(request, facts)))
      const run = url ? () => dispatch(context) : () => answer(http, context, refuseHost)
      return setResponseHeaders(systemResponse ?? (await observe(http, request, context, run)), context, http)
    } catch (error) {
      return failureResponse(error, http.log, facts.id)
    }
  }

  async function dispatch(context: RequestContext): Promise<Response> {
    const { method } = context.request
    const { pathname } = context.facts.url
    if (method === 'OPTIONS')
      return respondTo(context, async ({ isOpen }) =>
        preflight([...methodsAt(routes, pathname, isOpen)], headersAt(routes, pathname, isOpen)),
      )
    if (method !== 'HEAD') return find(context, method)
    context.request = new Request(context.request.url, { headers: context.request.headers })
    const { status, headers, body } = await find(context, 'GET')
    await body?.cancel()
    return new Response(null, { status, headers })
  }

  /** Elysia only gets method and path: it looks for the path at a fixed index of the URL, which is wrong for short hosts. */
  function find(context: RequestContext, method: string): Promise<Response> {
    const route = exact.get(`${method} ${context.facts.url.pathname}`)
    return route ? route(context) : router.handle(new RoutedRequest(context, method))
  }
}

class RoutedRequest extends Request {
  readonly context: RequestContext

  constructor(context: RequestContext, method: string) {
    super(`http://localhost${context.facts.url.pathname}`, { method })
    this.context = context
  }
}

function contextOf(routed: Request): RequestContext {
  if (!(routed instanceof RoutedRequest)) throw new Error('A request was routed without its context')
  return routed.context
}

const readableUrl = ({ url }: Request): URL =>
  URL.parse(url.replace(/^https?:\/\/[^/?#]*/, ''), 'http://localhost') ?? new URL('http://localhost')

async function refuseHost(): Promise<never> {
  throw new Problem(400, 'malformed_host', 'The Host header is missing or malformed. Send this server’s host name.')
}

function setResponseHeaders(response: Response, context: RequestContext, http: HttpDependencies): Response {
  const { headers } = response
  const { facts, route } = context
  for (const [name, value] of Object.entries(route?.operation?.[1].headers ?? {})) headers.set(name, value)
  headers.set('X-Content-Type-Options', 'nosniff')
  // A first visit loads dozens of assets: headers that say nothing there would be 3 KB of it.
  const isAsset = facts.url.pathname.startsWith('/assets/') && response.ok
  if (!isAsset) headers.set('X-Request-Id', facts.id)
  if (!isAsset && !headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  // Assets say themselves what they depend on.
  if (!headers.has('Vary')) headers.set('Vary', 'Accept, Accept-Encoding, HX-Request, HX-Request-Type')
  if (http.https) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  setLimitHeaders(headers, context)
  if (route?.operation?.[1].deprecated) setDeprecationHeaders(headers, context, http)
  setCors(headers, facts.headers.get('origin'), http.allowedOrigins)
  return response
}

/** @throws {StartupError} for an operation that declares options that exclude each other */
const declaredRoutes = (http: HttpDependencies): Route[] =>
  http.contexts.flatMap((context): Route[] => [
    ...Object.entries(context.operations).flatMap((named): Route[] => {
      const [name, operation] = named
      const [method = '', path = ''] = operation.route.split(' ')
      if (operation.deprecated) checkDeprecation(name, operation.deprecated)
      if ((operation.streams ?? operation.streamsOnRequest) && method !== 'GET' && operation.transaction !== false)
        throw new StartupError(`${name} streams its response, so it has to declare "transaction: false".`)
      if (itemSchemaOf(operation) && operation.input instanceof z.ZodObject && 'format' in operation.input.shape)
        throw new StartupError(`${name} lists items, so "format" in its input chooses their format: rename the field.`)
      if (operation.body?.as === 'stream') checkStreaming(name, operation)
      const run: Route['run'] = (requestContext) => runOperation(http, context, named, requestContext)
      return [path, ...(operation.aliases ?? [])].map((each) => ({
        method,
        path: each,
        context,
        operation: named,
        run,
      }))
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
    ...(context.endpoints ?? []).map(({ method, path, respond }): Route => {
      const run: Route['run'] = (requestContext) =>
        respond({ ...createCall(http, requestContext, path, null, null), input: null, actor: null })
      return { method, path, context, run }
    }),
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
