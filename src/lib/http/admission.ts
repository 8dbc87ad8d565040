import type { Actor, Permission } from '../actor.ts'
import { networkOf } from '../address.ts'
import {
  authorize,
  narrowActor,
  NotSignedIn,
  refuseCaller,
  refuseTestKey,
  requireCaller,
  requirePerson,
  serviceIdOf,
} from '../authorize.ts'
import type { RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import { cookieName } from '../cookies.ts'
import { notFound, Problem, unauthorized, retryLater } from '../errors.ts'
import { digest } from '../ids.ts'
import type { LimitClass, Allowance } from '../limits.ts'
import type { RequestContext } from '../request/context.ts'
import { refuseCrossOrigin } from '../request/origin.ts'
import type { Credential, HttpDependencies } from './dependencies.ts'

const recent = createRecentCredentials()

/** @throws {Problem} 403 for a cross-site request of a browser */
export function checkOrigin(http: HttpDependencies, request: Request, facts: RequestFacts): void {
  refuseCrossOrigin(request, facts.url, facts.cookies.has(cookieName('session', http.https)), http.allowedOrigins)
}

export function credentialOf(facts: RequestFacts, https: boolean, keyHeader?: string): Credential | null {
  const authorization = facts.headers.get('authorization')
  if (authorization !== null) return { authorization }
  const key = keyHeader === undefined ? null : facts.headers.get(keyHeader)
  if (key !== null) return { authorization: `Bearer ${key}` }
  const name = cookieName('session', https)
  const session = facts.cookies.get(name)
  return session ? { cookie: `${name}=${session}` } : null
}

interface Requirements {
  context: Context
  permission: Permission
  callers?: readonly string[]
  /** Null when the request isn't counted. */
  limit: LimitClass | null
  signed?: boolean
  services?: true
  appTokens?: true
  keyHeader?: string
}

/** Null for a public operation. @throws {Problem} 401, 403 naming the permission, 429, and 503 */
export async function admit(
  http: HttpDependencies,
  requestContext: RequestContext,
  requirements: Requirements,
): Promise<Actor | null> {
  const { permission, signed } = requirements
  if (permission === 'public') {
    await countLimited(http, requestContext, requirements, null)
    return null
  }
  const actor = await authenticate(http, requestContext, requirements)
  if (signed && actor.tokenType !== 'service')
    throw unauthorized('Only signed requests of a service are accepted here.')
  await countLimited(http, requestContext, requirements, actor)
  return permit(http, actor, requirements)
}

export async function permit(
  http: HttpDependencies,
  actor: Actor,
  { context, permission, callers, services }: Pick<Requirements, 'context' | 'permission' | 'callers' | 'services'>,
): Promise<Actor> {
  if (context.refusedCallers) refuseCaller(actor, context.refusedCallers)
  if (services && actor.tokenType === 'service') return actor
  const serviceId = await serviceIdOf(context, http.serviceId)
  authorize(actor, permission, serviceId)
  if (callers) requireCaller(actor, callers)
  await refuseTestKey(actor, context, http.provided)
  return narrowActor(actor, permission, serviceId, context)
}

/**
 * For a long request, admitted at `since`. While identity is unavailable everything passes. @throws {Problem} 401, 403,
 * 404 after a switch to another organization, and as the operation's own check
 */
export async function recheck(
  http: HttpDependencies,
  { facts, actor: before, recheckAccess }: RequestContext,
  requirements: Omit<Requirements, 'limit'> & { since: Date },
): Promise<void> {
  const { context, permission, keyHeader, since } = requirements
  const credential = credentialOf(facts, http.https, keyHeader)
  if (!credential || !before) return
  try {
    const serviceId = await serviceIdOf(context, http.serviceId)
    const audience = audienceOf(requirements)
    const actor = await http.authenticate({
      ...credential,
      audience,
      app: requirements.appTokens && context.slug,
      passive: true,
      since,
    })
    if (!requirements.services || actor.tokenType !== 'service') authorize(actor, permission, serviceId)
    if (actor.organization?.id !== before.organization?.id) throw notFound('resource')
    await recheckAccess?.(narrowActor(actor, permission, serviceId, context))
  } catch (error) {
    if (error instanceof Problem && error.status < 500) throw error
  }
}

/** Like `admit`; on a public page an invalid credential counts as none. API keys have no pages. */
export async function admitVisitor(
  http: HttpDependencies,
  requestContext: RequestContext,
  requirements: Requirements,
): Promise<Actor | null> {
  if (requirements.permission !== 'public') return requirePerson(await admit(http, requestContext, requirements))
  if (!credentialOf(requestContext.facts, http.https)) {
    await countLimited(http, requestContext, requirements, null)
    return null
  }
  const actor = await authenticate(http, requestContext, requirements).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 429) throw error
    return null
  })
  if (actor) await countLimited(http, requestContext, requirements, actor)
  return actor?.tokenType === 'api_key' ? null : actor
}

/** Counts a request for no route. Its problem page has the frame of a person who is signed in. @throws {Problem} 429 */
export async function admitStray(http: HttpDependencies, requestContext: RequestContext): Promise<void> {
  const [context] = http.contexts
  if (!context || !requestContext.facts.html) return countRequest(http, requestContext, 'reads', null)
  await admitVisitor(http, requestContext, { context, permission: 'public', limit: 'reads' })
}

const countLimited = async (
  http: HttpDependencies,
  requestContext: RequestContext,
  { limit }: Requirements,
  actor: Actor | null,
): Promise<void> => (limit ? countRequest(http, requestContext, limit, actor) : undefined)

/**
 * Verifying costs queries, so it counts against the client's address until it succeeds. @throws {Problem} 401, 429,
 * 503
 */
async function authenticate(
  http: HttpDependencies,
  requestContext: RequestContext,
  requirements: Requirements,
): Promise<Actor> {
  const credential = credentialOf(requestContext.facts, http.https, requirements.keyHeader)
  const key = credential && keyOf(credential)
  const isNew = key === null || !recent.has(key)
  const limit = requirements.limit ?? 'reads'
  if (isNew) await countRequest(http, requestContext, limit, null)
  if (!key) throw new NotSignedIn()
  try {
    const actor = await identifyCaller(http, credential, requirements)
    requestContext.actor = actor
    recent.add(key)
    if (isNew) giveBack(http, requestContext, limit)
    return actor
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    recent.delete(key)
    if (!isNew) await countRequest(http, requestContext, limit, null)
    throw new NotSignedIn(error)
  }
}

/** A service's token is valid for one service only. */
const audienceOf = ({ context, permission, services }: Pick<Requirements, 'context' | 'permission' | 'services'>) =>
  permission === 'service' || services ? context.slug : undefined

async function identifyCaller(
  http: HttpDependencies,
  credential: Credential,
  requirements: Requirements,
): Promise<Actor> {
  const { context, permission, signed, appTokens } = requirements
  const audience = audienceOf(requirements)
  const app = appTokens && context.slug
  const use = { audience, app, permission: `${await serviceIdOf(context, http.serviceId)}.${permission}`, once: signed }
  return http.authenticate({ ...credential, ...use })
}

interface RecentCredentials {
  has(key: string): boolean
  add(key: string): void
  delete(key: string): void
}

const credentialLifetimeMs = 15 * 60_000
const maxCredentials = 20_000

const keyOf = ({ authorization, cookie }: Credential): string => digest(authorization ?? cookie ?? '')

function createRecentCredentials(now: () => number = () => performance.now()): RecentCredentials {
  const until = new Map<string, number>()
  return {
    has: (name) => (until.get(name) ?? 0) > now(),
    add: (name) => {
      // Deleted first, so that it moves to the end: a Map keeps the order of insertion.
      until.delete(name)
      until.set(name, now() + credentialLifetimeMs)
      const [oldest] = until.keys()
      if (until.size > maxCredentials && oldest !== undefined) until.delete(oldest)
    },
    delete: (name) => void until.delete(name),
  }
}

/** By credential and organization, or address without one (PLT-14); not calls of services. @throws {Problem} 429 */
export async function countRequest(
  http: HttpDependencies,
  context: RequestContext,
  limitClass: LimitClass,
  actor: Actor | null,
): Promise<void> {
  const { facts } = context
  if (facts.address === null || actor?.credential.kind === 'service') return
  const subject = actor?.credential.id ?? networkOf(facts.address)
  const allowance = await http.limits.take(limitClass, subject, actor?.organization?.id)
  if (!allowance) return
  context.allowance = allowance
  if (!allowance.granted) throw rateLimited(allowance)
}

export function giveBack(http: HttpDependencies, { facts }: RequestContext, limitClass: LimitClass): void {
  if (facts.address !== null) http.limits.giveBack(limitClass, networkOf(facts.address))
}

function rateLimited({ quota, windowSeconds, resetsInSeconds, shared }: Allowance): Problem {
  const sharedBy = shared ? ' for your whole organization' : ''
  return retryLater(
    429,
    'rate_limited',
    `More than ${quota} requests in ${windowSeconds} s${sharedBy}. Retry in ${resetsInSeconds} s.`,
    { retryAfter: resetsInSeconds },
  )
}

export function setLimitHeaders(headers: Headers, { allowance }: RequestContext): void {
  if (!allowance) return
  const { class: name, quota, windowSeconds, remaining, resetsInSeconds } = allowance
  headers.set('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  headers.set('RateLimit', `"${name}";r=${remaining};t=${resetsInSeconds}`)
}
