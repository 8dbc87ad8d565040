import { Elysia } from 'elysia'
import { wantsHtml } from './accept.ts'
import { clientAddress } from './address.ts'
import type { RequestFacts } from './call.ts'
import { readCookies } from './cookies.ts'
import { Problem } from './errors.ts'
import { answer } from './http/answer.ts'
import { count, setLimitHeaders } from './http/count.ts'
import { declaredRoutes } from './http/declared.ts'
import { bidFarewell } from './http/farewell.ts'
import { chosenOf, placeOf, type Place } from './http/hosts.ts'
import { plainFailure } from './http/listen.ts'
import { observed } from './http/observed.ts'
import { mcpRoute } from './http/mcp.ts'
import type { Handler, HttpParts } from './http/parts.ts'
import { claimRoute, headersAt, methodsAt, rivalsOf, unmatched, type Route, type Routes } from './http/routes.ts'
import type { Upgrade } from './http/sockets.ts'
import { newId } from './ids.ts'
import { preflight, setCors } from './origin.ts'
import { createRequestContext, type RequestContext } from './request-context.ts'

export type { Handler, HttpParts } from './http/parts.ts'

/** The whole of HTTP: authenticate → authorize → parse → run → JSON or HTML, for every operation, page and webhook. */
export function createHandler(http: HttpParts): Handler {
  const router = new Elysia()
  const known: Routes = new Map()

  const answered = (context: RequestContext, run: (place: Place) => Promise<Response>): Promise<Response> =>
    answer(http, context.facts, () => run(placeOf(http.hosts, context.facts.url.hostname)))

  const add = ({ method, path }: Route) => {
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    // Elysia wants one name per place, whatever each route calls it.
    const positional = names.reduce((text, name, at) => text.replace(`:${name}`, `:p${at}`), path)
    const rivals = rivalsOf(known, method, path)
    const handler = ({ request: routed, params }: { request: Request; params: Record<string, string | null> }) => {
      const context = contextOf(routed)
      return answered(context, async (place) => {
        context.route = chosenOf(rivals, place, context.facts.url, http.sharedPaths)
        context.params = Object.fromEntries(names.map((name, at) => [name, params[`p${at}`] ?? '']))
        return context.route.run(context)
      })
    }
    router.route(method, positional, handler, { parse: 'none', config: {} })
  }

  const declared = [...declaredRoutes(http), ...(http.mcp ? [mcpRoute(http, http.mcp, handle)] : [])]
  for (const route of declared) claimRoute(known, http.sharedPaths, route)
  for (const route of declared) if (rivalsOf(known, route.method, route.path)[0] === route) add(route)
  router.onError(({ request: routed }) => {
    const context = contextOf(routed)
    const { request, facts } = context
    return answered(context, async (place) => {
      await count(http, context, 'reads', null)
      throw unmatched(request.method, facts.url.pathname, methodsAt(known, facts.url.pathname, place.isOpen))
    })
  })

  return handle

  async function handle(request: Request, address: string | null = null, upgrade?: Upgrade): Promise<Response> {
    const url = URL.parse(request.url)
    const facts = factsOf(request, url ?? readableUrl(request), address, http.trustedProxies)
    const context = createRequestContext(request, facts, upgrade)
    try {
      const beside = url && (await answer(http, facts, async () => http.beside(request, facts)))
      const run = url ? () => dispatch(context) : () => answer(http, facts, refuseHost)
      return secured(beside ?? (await observed(http, request, context, run)), context, http)
    } catch (error) {
      return plainFailure(error, http.log, facts.id)
    }
  }

  async function dispatch(context: RequestContext): Promise<Response> {
    const { method } = context.request
    const { pathname } = context.facts.url
    if (method === 'OPTIONS')
      return answered(context, async ({ isOpen }) =>
        preflight([...methodsAt(known, pathname, isOpen)], headersAt(known, pathname, isOpen)),
      )
    if (method !== 'HEAD') return find(context, method)
    context.request = new Request(context.request.url, { headers: context.request.headers })
    const { status, headers, body } = await find(context, 'GET')
    await body?.cancel()
    return new Response(null, { status, headers })
  }

  /** Elysia is shown method and path alone: it would look for the path at a fixed index of the URL, where a short host has none. */
  function find(context: RequestContext, method: string): Promise<Response> {
    return router.handle(new RoutedRequest(context, method))
  }
}

/** What the router is given: method and path, with the request that they are of. */
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

function factsOf(request: Request, url: URL, peer: string | null, proxies: number): RequestFacts {
  const { headers } = request
  return {
    id: newId(),
    method: request.method,
    url,
    headers,
    cookies: readCookies(headers.get('cookie')),
    address: peer === null ? null : clientAddress(peer, headers.get('x-forwarded-for'), proxies),
    html: wantsHtml(headers),
  }
}

/** For the log: what was asked for, where the host makes no URL of it. */
const readableUrl = ({ url }: Request): URL =>
  URL.parse(url.replace(/^https?:\/\/[^/?#]*/, ''), 'http://localhost') ?? new URL('http://localhost')

async function refuseHost(): Promise<never> {
  throw new Problem(400, 'malformed_host', 'The Host header is missing or malformed. Send the name of this server.')
}

/** What every answer carries, whatever made it. */
function secured(response: Response, context: RequestContext, http: HttpParts): Response {
  const { headers } = response
  const { facts, route } = context
  for (const [name, value] of Object.entries(route?.operation?.[1].headers ?? {})) headers.set(name, value)
  headers.set('X-Request-Id', facts.id)
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.append('Vary', 'Accept, Accept-Encoding, HX-Request, HX-Request-Type')
  if (http.https) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  setLimitHeaders(headers, context)
  bidFarewell(headers, context, http)
  setCors(headers, facts.headers.get('origin'), http.allowedOrigins)
  return response
}
