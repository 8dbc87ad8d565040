import { Elysia } from 'elysia'
import { clientAddress } from './address.ts'
import type { RequestFacts } from './call.ts'
import { readCookies } from './cookies.ts'
import { answer } from './http/answer.ts'
import { setLimitHeaders } from './http/count.ts'
import type { Handler, HttpParts, Visit } from './http/parts.ts'
import { receive } from './http/receive.ts'
import { claimRoute, methodsAt, unmatched, type Routes } from './http/routes.ts'
import { runOperation } from './http/run-operation.ts'
import { showPage } from './http/show-page.ts'
import { newId } from './ids.ts'
import { preflight, setCors } from './origin.ts'

export type { Handler, HttpParts } from './http/parts.ts'

/** The whole of HTTP: authenticate → authorize → parse → run → JSON or HTML, for every operation, page and webhook. */
export function createHandler(http: HttpParts): Handler {
  const visits = new WeakMap<Request, RequestFacts>()
  const router = new Elysia()
  const known: Routes = new Map()

  const add = (method: string, path: string, owner: string, run: (visit: Visit) => Promise<Response>) => {
    claimRoute(known, method, path, owner)
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    // Elysia wants one name per place, whatever each route calls it.
    const positional = names.reduce((text, name, at) => text.replace(`:${name}`, `:p${at}`), path)
    const handler = async ({ request, params }: { request: Request; params: Record<string, string | null> }) => {
      const facts = visits.get(request)
      if (!facts) throw new Error('A request came in past the boundary')
      const values = names.map((name, at) => [name, params[`p${at}`] ?? ''])
      return answer(http, facts, () => run({ request, facts, params: Object.fromEntries(values) }))
    }
    router.route(method, positional, handler, { parse: 'none', config: {} })
  }

  for (const context of http.contexts) {
    for (const named of Object.entries(context.operations)) {
      const [method = '', path = ''] = named[1].route.split(' ')
      add(method, path, context.slug, (visit) => runOperation(http, context, named, visit))
    }
    for (const page of context.pages)
      add('GET', page.path, context.slug, (visit) => showPage(http, context, page, visit))
    for (const hook of context.webhooks) add('POST', hook.path, context.slug, (visit) => receive(http, hook, visit))
  }
  router.onError(({ request }) => {
    const facts = visits.get(request)
    return facts
      ? answer(http, facts, () => Promise.reject(unmatched(known, request.method, facts.url.pathname)))
      : undefined
  })

  return async (request, address = null) => {
    const started = performance.now()
    const facts = factsOf(request, address, http.trustedProxies)
    visits.set(request, facts)
    const beside = await http.beside(request, facts.url)
    if (beside) return secured(beside, facts, http)
    const response = await route(request, facts)
    http.log[address === null ? 'debug' : 'info']('request', {
      request: facts.id,
      method: request.method,
      path: facts.url.pathname,
      status: response.status,
      ms: Math.round(performance.now() - started),
    })
    return secured(response, facts, http)
  }

  async function route(request: Request, facts: RequestFacts): Promise<Response> {
    if (request.method === 'OPTIONS') return preflight([...methodsAt(known, facts.url.pathname)])
    if (request.method !== 'HEAD') return router.handle(request)
    const get = new Request(request.url, { headers: request.headers })
    visits.set(get, facts)
    const { status, headers } = await router.handle(get)
    return new Response(null, { status, headers })
  }
}

function factsOf(request: Request, peer: string | null, proxies: number): RequestFacts {
  const { headers } = request
  return {
    id: newId(),
    url: new URL(request.url),
    headers,
    cookies: readCookies(headers.get('cookie')),
    address: peer === null ? null : clientAddress(peer, headers.get('x-forwarded-for'), proxies),
    html: headers.has('hx-request') || (headers.get('accept')?.includes('text/html') ?? false),
  }
}

/** What every answer carries, whatever made it. */
function secured(response: Response, facts: RequestFacts, http: HttpParts): Response {
  const { headers } = response
  headers.set('X-Request-Id', facts.id)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'strict-origin-when-cross-origin')
  headers.append('Vary', 'Accept, Accept-Encoding, HX-Request, HX-Request-Type')
  if (http.https) headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  setLimitHeaders(headers, facts)
  setCors(headers, facts.headers.get('origin'), http.allowedOrigins)
  return response
}
