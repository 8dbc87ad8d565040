import { Elysia } from 'elysia'
import { clientAddress } from './address.ts'
import type { RequestFacts } from './call.ts'
import { readCookies } from './cookies.ts'
import { answer } from './http/answer.ts'
import { setLimitHeaders } from './http/count.ts'
import { declaredRoutes } from './http/declared.ts'
import { bidFarewell } from './http/farewell.ts'
import { chosenOf, placeOf, type Place } from './http/hosts.ts'
import { observed } from './http/observed.ts'
import { mcpRoute } from './http/mcp.ts'
import type { Handler, HttpParts, Trip } from './http/parts.ts'
import { claimRoute, methodsAt, rivalsOf, unmatched, type Route, type Routes } from './http/routes.ts'
import { newId } from './ids.ts'
import { preflight, setCors } from './origin.ts'

export type { Handler, HttpParts } from './http/parts.ts'

/** The whole of HTTP: authenticate → authorize → parse → run → JSON or HTML, for every operation, page and webhook. */
export function createHandler(http: HttpParts): Handler {
  const trips = new WeakMap<Request, Trip>()
  const router = new Elysia()
  const known: Routes = new Map()

  const answered = (request: Request, run: (trip: Trip, place: Place) => Promise<Response>): Promise<Response> => {
    const trip = trips.get(request)
    if (!trip) throw new Error('A request came in past the boundary')
    return answer(http, trip.facts, () => run(trip, placeOf(http.hosts, trip.facts.url.hostname)))
  }

  const add = ({ method, path }: Route) => {
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    // Elysia wants one name per place, whatever each route calls it.
    const positional = names.reduce((text, name, at) => text.replace(`:${name}`, `:p${at}`), path)
    const rivals = rivalsOf(known, method, path)
    const handler = ({ request, params }: { request: Request; params: Record<string, string | null> }) =>
      answered(request, async (trip, place) => {
        trip.route = chosenOf(rivals, place, trip.facts.url, http.sharedPaths)
        trip.params = Object.fromEntries(names.map((name, at) => [name, params[`p${at}`] ?? '']))
        return trip.route.run({ request, facts: trip.facts, params: trip.params })
      })
    router.route(method, positional, handler, { parse: 'none', config: {} })
  }

  const declared = [...declaredRoutes(http), ...(http.mcp ? [mcpRoute(http, http.mcp, handle)] : [])]
  for (const route of declared) claimRoute(known, http.sharedPaths, route)
  for (const route of declared) if (rivalsOf(known, route.method, route.path)[0] === route) add(route)
  router.onError(({ request }) =>
    answered(request, async ({ facts: { url } }, place) => {
      throw unmatched(request.method, url.pathname, methodsAt(known, url.pathname, place.isOpen))
    }),
  )

  return handle

  async function handle(request: Request, address: string | null = null): Promise<Response> {
    const trip: Trip = { facts: factsOf(request, address, http.trustedProxies), params: {} }
    trips.set(request, trip)
    const beside = await http.beside(request, trip.facts)
    return secured(beside ?? (await observed(http, request, trip, () => reached(request, trip))), trip, http)
  }

  async function reached(request: Request, trip: Trip): Promise<Response> {
    if (request.method === 'OPTIONS')
      return answered(request, async ({ facts: { url } }, { isOpen }) =>
        preflight([...methodsAt(known, url.pathname, isOpen)]),
      )
    if (request.method !== 'HEAD') return router.handle(request)
    const get = new Request(request.url, { headers: request.headers })
    trips.set(get, trip)
    const { status, headers } = await router.handle(get)
    return new Response(null, { status, headers })
  }
}

function factsOf(request: Request, peer: string | null, proxies: number): RequestFacts {
  const { headers } = request
  return {
    id: newId(),
    method: request.method,
    url: new URL(request.url),
    headers,
    cookies: readCookies(headers.get('cookie')),
    address: peer === null ? null : clientAddress(peer, headers.get('x-forwarded-for'), proxies),
    html: headers.has('hx-request') || (headers.get('accept')?.includes('text/html') ?? false),
  }
}

/** What every answer carries, whatever made it. */
function secured(response: Response, trip: Trip, http: HttpParts): Response {
  const { headers } = response
  const { facts } = trip
  headers.set('X-Request-Id', facts.id)
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.append('Vary', 'Accept, Accept-Encoding, HX-Request, HX-Request-Type')
  if (http.https) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  setLimitHeaders(headers, facts)
  bidFarewell(headers, trip, http)
  setCors(headers, facts.headers.get('origin'), http.allowedOrigins)
  return response
}
