import Negotiator from 'negotiator'
import { isIP } from 'node:net'
import type { Actor } from '../actor.ts'
import type { AuditState } from '../audit/state.ts'
import { readCookies } from '../cookies.ts'
import type { Deprecation } from '../deprecation.ts'
import type { ProblemDocument } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Allowance } from '../limits/allowance.ts'
import type { StreamEnd } from '../reply.ts'
import type { Upgrade } from './upgrade.ts'

export interface RequestFacts {
  readonly id: string
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly cookies: ReadonlyMap<string, string>
  readonly address: string | null
  /** `Accept` prefers HTML, or htmx asks: responses are HTML and secrets stay in cookies. */
  readonly html: boolean
}

interface MatchedRoute {
  path: string
  context: { slug: string; group?: string }
  operation?: readonly [
    string,
    {
      route: string
      headers?: Readonly<Record<string, string>>
      deprecated?: Deprecation
      problemMembers?(problem: ProblemDocument): Record<string, unknown>
    },
  ]
}

/** The state of one request, `call.context`. A context adds its own fields by declaration merging. */
export interface RequestContext {
  request: Request
  readonly facts: RequestFacts
  /** `performance.now()`. */
  readonly startedAt: number
  params: Record<string, string>
  readonly signal: AbortSignal
  abort(reason: unknown): void
  route?: MatchedRoute
  actor?: Actor
  /** Called every 2 s while a body is read. A `Problem`, when access is lost, ends the request. */
  recheckAccess?: (actor: Actor) => Promise<void>
  allowance?: Allowance
  readonly audit: AuditState
  readonly upgrade?: Upgrade
  /** The connection may be silent for longer than a minute. */
  readonly keepOpen?: () => void
  streaming?: Promise<StreamEnd>
  /** Why a plain form was refused, for the page that shows it again with what was entered. */
  refusedForm?: RefusedForm
}

export interface RefusedForm {
  readonly problem: ProblemDocument
  readonly given: Readonly<Record<string, unknown>>
}

export function createRequestContext(
  request: Request,
  facts: RequestFacts,
  connection: Pick<RequestContext, 'upgrade' | 'keepOpen'> = {},
): RequestContext {
  let work: AbortController | undefined
  /** Created on demand: most requests end before anything asks for their signal. */
  const working = (): AbortController => (work ??= endingWith(request.signal))
  return {
    request,
    facts,
    startedAt: performance.now(),
    params: {},
    get signal() {
      return working().signal
    },
    abort: (reason: unknown) => working().abort(reason),
    upgrade: connection.upgrade,
    keepOpen: connection.keepOpen,
    audit: {},
  }
}

function endingWith(signal: AbortSignal): AbortController {
  const work = new AbortController()
  const end = () => work.abort(signal.reason)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return work
}

const formTypes = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i
const formMethods = ['PUT', 'PATCH', 'DELETE']

/**
 * A form that a browser sends itself can only be a GET or a POST: `_method` in its action is the method of its operation.
 * Scripts and other sites' forms can't use it: they send no navigation, or are refused by their origin (PLT-21).
 */
export function withFormMethod(request: Request): Request {
  if (request.method !== 'POST' || !request.url.includes('_method=')) return request
  const { headers } = request
  const url = URL.parse(request.url)
  const method = url?.searchParams.get('_method') ?? ''
  const isForm = headers.get('sec-fetch-mode') === 'navigate' && formTypes.test(headers.get('content-type') ?? '')
  if (!url || !isForm || !formMethods.includes(method)) return request
  url.searchParams.delete('_method')
  return new Request(url, { method, headers, body: request.body, signal: request.signal })
}

/** Where a form that a browser sent itself is answered when its operation names no page: on the page that it was on. */
export function pageOfForm({ method, headers, url }: RequestFacts): string | undefined {
  if (!formMethods.includes(method) || headers.get('sec-fetch-mode') !== 'navigate') return undefined
  const referer = URL.parse(headers.get('referer') ?? '')
  // A path of two slashes would be another host.
  return referer?.host === url.host ? referer.pathname.replace(/^\/+/, '/') + referer.search : '/'
}

export function factsOf(request: Request, url: URL, peer: string | null, proxies: number): RequestFacts {
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

/** Each of our `hops` proxies appends the address that it saw to `X-Forwarded-For`; earlier entries aren't trusted. */
export function clientAddress(peer: string, forwardedFor: string | null, hops: number): string {
  const seen = hops > 0 && forwardedFor ? forwardedFor.split(',') : []
  const candidate = bareAddress(seen.at(-hops) ?? seen[0] ?? '')
  return isIP(candidate) ? candidate : bareAddress(peer)
}

const bareAddress = (text: string): string =>
  text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/^::ffff:(?=\d+\.)/i, '')

/** Programs send the same few headers with every request, and reading one takes longer than looking at a cached result. */
const preferred = new Map<string, string | undefined>()
const maxCached = 200
const maxCachedLength = 300

/** By weight, specificity, then its own order (RFC 9110, 12.5.1). The first one without the header. */
export function preferredType<Type extends string>(headers: Headers, available: readonly Type[]): Type | undefined {
  const accept = headers.get('accept')
  if (accept === null) return available[0]
  const key = `${accept} ${available.join()}`
  const type = preferred.has(key) ? preferred.get(key) : negotiate(accept, available)
  if (preferred.size > maxCached) preferred.clear()
  if (accept.length <= maxCachedLength) preferred.set(key, type)
  return available.find((one) => one === type)
}

function negotiate(accept: string, available: readonly string[]): string | undefined {
  const withoutParameters = accept.replaceAll(/;(?!\s*q=)[^;,]*/gi, '')
  return new Negotiator({ headers: { accept: withoutParameters } }).mediaType([...available])
}

const wantsHtml = (headers: Headers): boolean =>
  headers.has('hx-request') || preferredType(headers, ['application/json', 'text/html']) === 'text/html'
