import { Elysia } from 'elysia'
import type { Actor, Permission } from './actor.ts'
import { authorize, NotSignedIn } from './authorize.ts'
import { readBody, readBytes } from './body.ts'
import type { Call, Provided, RequestFacts } from './call.ts'
import { cookieName, readCookies } from './cookies.ts'
import type { Context } from './context.ts'
import { databaseAway, type Database, type DatabaseHandle } from './db.ts'
import { notFound, Problem, problemDocument, type ProblemDocument } from './errors.ts'
import { toObject } from './fields.ts'
import { newId } from './ids.ts'
import { checkedInput } from './input.ts'
import { errorFacts, type Log } from './log.ts'
import type { Operation } from './operation.ts'
import { preflight, refuseCrossOrigin, setCors } from './origin.ts'
import type { Frame, Page } from './page.ts'
import { Stream } from './reply.ts'
import { dress, goOn, html, json, parts, streamed } from './respond.ts'
import type { Clock } from './time.ts'
import type { Webhook } from './webhook.ts'

/** How the credential of a request reaches identity: an explicit bearer before the session cookie. */
interface Credential {
  authorization?: string
  cookie?: string
}

/** What the server is made of, as `app.ts` hands it in. */
export interface HttpParts {
  contexts: readonly Context[]
  database: DatabaseHandle
  provided: Provided
  now: Clock
  log: Log
  https: boolean
  allowedOrigins: readonly string[]
  /** Throws 401 for a refused credential and 503 when identity can't say. */
  authenticate(credential: Credential): Promise<Actor>
  /** This environment's id of a service. */
  serviceId(slug: string): Promise<string>
  frame(frame: Frame, parts: { title: string; content: JSX.Element; screen?: string }, call: Call): Promise<JSX.Element>
  problem(problem: ProblemDocument, whole: boolean, signedIn: boolean): JSX.Element | Promise<JSX.Element>
  /** Answers beside the contexts: assets, health. Undefined when it has none for the request. */
  beside(request: Request, url: URL): Promise<Response | undefined> | Response | undefined
}

/** `address` is the peer's; null when this very process asks. */
export type Handler = (request: Request, address?: string | null) => Promise<Response>

/** Who answers each method of each path, parameters' names aside. */
type Routes = Map<string, Map<string, string>>

interface Visit {
  request: Request
  facts: RequestFacts
  params: Record<string, string>
}

/** The whole of HTTP: authenticate → authorize → parse → run → JSON or HTML, for every operation, page and webhook. */
export function createHandler(http: HttpParts): Handler {
  const visits = new WeakMap<Request, RequestFacts>()
  const router = new Elysia()
  const known: Routes = new Map()

  const add = (method: string, path: string, owner: string, run: (visit: Visit) => Promise<Response>) => {
    const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    const shape = path.replaceAll(/:\w+/g, ':')
    const owners = known.get(shape) ?? new Map<string, string>()
    const claim = `${method} ${path} of ${owner}`
    const rival = owners.get(method)
    if (rival) throw new Error(`Two routes claim one path: ${rival}, and ${claim}`)
    known.set(shape, owners.set(method, claim))
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
    for (const operation of Object.values(context.operations)) {
      const [method = '', path = ''] = operation.route.split(' ')
      add(method, path, context.slug, (visit) => runOperation(http, context, operation, visit))
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
    const facts = factsOf(request, address)
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

function factsOf(request: Request, address: string | null): RequestFacts {
  const { headers } = request
  return {
    id: newId(),
    url: new URL(request.url),
    headers,
    cookies: readCookies(headers.get('cookie')),
    address,
    html: headers.has('hx-request') || (headers.get('accept')?.includes('text/html') ?? false),
  }
}

async function runOperation(http: HttpParts, context: Context, operation: Operation, visit: Visit): Promise<Response> {
  const { request, facts, params } = visit
  protect(http, request, facts)
  const actor = operation.permission === 'public' ? null : await admitted(http, context, operation.permission, facts)
  const input = await checkedInput(operation.input, await given(visit), new Set(Object.keys(params)))
  const call = callOf(http, facts, actor, input)
  const inside = request.method !== 'GET' && operation.transaction !== false
  const run = async (db: Database) => finished(operation, await operation.run({ ...call, db }))
  const done = inside ? await http.database.transaction(run) : await run(call.db)
  if (done instanceof Stream) return streamed(done)
  const { status, result, options } = done
  if (facts.html && options.next) return dress(goOn(options.next, facts), options, http.https)
  const { view } = operation
  const response =
    facts.html && view
      ? await html(status, () => view(result, call), facts)
      : status === 204
        ? new Response(null, { status })
        : json(status, result, facts)
  return dress(response, options, http.https)
}

/** What a handler returned, held to its contract while its transaction can still be undone. */
function finished(operation: Operation, returned: unknown) {
  if (returned instanceof Stream) return returned
  const { status, data, options } = parts(returned, operation.creates === true)
  const { data: result, error: cause } = operation.output.safeParse(data)
  if (cause) throw new Error(`What ${operation.route} answers is outside its contract`, { cause })
  return { status, result, options }
}

async function showPage(http: HttpParts, context: Context, page: Page, visit: Visit): Promise<Response> {
  const { facts, params } = visit
  const actor =
    page.permission === 'public' ? await visitor(http, facts) : await admitted(http, context, page.permission, facts)
  const query = { ...toObject(facts.url.searchParams), ...params }
  const call = callOf(http, facts, actor, await checkedInput(page.query, query, new Set(Object.keys(params))))
  const { status, data, options } = parts(await page.load(call), false)
  if (options.next) return dress(goOn(options.next, facts), options, http.https)
  const title = typeof page.title === 'string' ? page.title : page.title(data)
  const partial = facts.headers.get('hx-request-type') === 'partial'
  const draw = async () => {
    const content = page.view(data, call)
    return partial ? content : http.frame(page.frame ?? 'shell', { title, content, screen: page.screen }, call)
  }
  return dress(await html(status, draw, facts), options, http.https)
}

async function receive(http: HttpParts, hook: Webhook, { request, facts }: Visit): Promise<Response> {
  const raw = await readBytes(request)
  const call = { ...callOf(http, facts, null, null), input: null, actor: null }
  await hook.verify(raw, call)
  return json(200, await http.database.transaction((db) => hook.run(raw, { ...call, db })), facts)
}

const callOf = (http: HttpParts, request: RequestFacts, actor: Actor | null, input: unknown): Call => ({
  ...http.provided,
  input,
  actor,
  db: http.database.db,
  now: http.now,
  request,
})

/** Path, query and body as one object; the path wins. */
async function given({ request, facts, params }: Visit): Promise<unknown> {
  const query = toObject(facts.url.searchParams)
  if (request.method === 'GET') return { ...query, ...params }
  const body = await readBody(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return { ...query, ...body, ...params }
}

function protect(http: HttpParts, request: Request, facts: RequestFacts): void {
  refuseCrossOrigin(request, facts.url, facts.cookies.has(cookieName('session', http.https)), http.allowedOrigins)
}

function credentialOf(facts: RequestFacts, https: boolean): Credential | null {
  const authorization = facts.headers.get('authorization')
  if (authorization !== null) return { authorization }
  const name = cookieName('session', https)
  const session = facts.cookies.get(name)
  return session ? { cookie: `${name}=${session}` } : null
}

async function admitted(
  http: HttpParts,
  context: Context,
  permission: Permission,
  facts: RequestFacts,
): Promise<Actor> {
  const credential = credentialOf(facts, http.https)
  if (!credential) throw new NotSignedIn()
  const actor = await http.authenticate(credential).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 401 ? new NotSignedIn(error) : error
  })
  authorize(actor, permission, await http.serviceId(context.slug))
  return actor
}

/** Who looks at a public page, when that can be told. */
async function visitor(http: HttpParts, facts: RequestFacts): Promise<Actor | null> {
  const credential = credentialOf(facts, http.https)
  return credential ? http.authenticate(credential).catch(() => null) : null
}

/** Runs a handler; whatever it throws becomes a problem that a program or a person can read. */
async function answer(http: HttpParts, facts: RequestFacts, run: () => Promise<Response>): Promise<Response> {
  try {
    return await run()
  } catch (error) {
    const problem = error instanceof Problem ? error : unexpected(error)
    if (problem.status >= 500)
      http.log.error('failed', { request: facts.id, path: facts.url.pathname, ...errorFacts(problem.cause ?? problem) })
    return tell(http, facts, problem)
  }
}

const unexpected = (cause: unknown) =>
  databaseAway(cause)
    ? new Problem(503, 'database_unavailable', 'The database can’t be reached at this moment. Try again soon.', {
        headers: { 'Retry-After': '5' },
        cause,
      })
    : new Problem(500, 'internal_error', 'Something failed on our side. Nothing was changed; try again.', { cause })

async function tell(http: HttpParts, facts: RequestFacts, problem: Problem): Promise<Response> {
  if (problem instanceof NotSignedIn && facts.html)
    return goOn(`/login?next=${encodeURIComponent(returnTo(facts))}`, facts)
  const document = problemDocument(problem, facts.id)
  if (!facts.html)
    return json(problem.status, document, facts, {
      'Content-Type': 'application/problem+json',
      ...problem.options.headers,
    })
  const whole = !facts.headers.has('hx-request')
  const signedIn = credentialOf(facts, http.https) !== null && problem.status !== 401
  return html(problem.status, () => http.problem(document, whole, signedIn), facts, problem.options.headers)
}

/** The page that a signed-out person wanted: for a fragment, the page that asked for it. */
function returnTo(facts: RequestFacts): string {
  const current = facts.headers.get('hx-current-url')
  const url = current && URL.canParse(current) ? new URL(current) : facts.url
  return url.pathname + url.search
}

function methodsAt(known: Routes, path: string): Set<string> {
  const methods = new Set<string>()
  for (const [shape, at] of known) {
    const pattern = new RegExp(`^${shape.replaceAll('.', String.raw`\.`).replaceAll(':', '[^/]+')}$`)
    if (pattern.test(path)) for (const method of at.keys()) methods.add(method)
  }
  return methods
}

function unmatched(known: Routes, method: string, path: string): Problem {
  const methods = [...methodsAt(known, path)]
  if (methods.length === 0 || methods.includes(method)) return notFound()
  const allow = methods.join(', ')
  return new Problem(405, 'method_not_allowed', `${path} answers ${allow}, not ${method}.`, {
    headers: { Allow: allow },
  })
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
  setCors(headers, facts.headers.get('origin'), http.allowedOrigins)
  return response
}
