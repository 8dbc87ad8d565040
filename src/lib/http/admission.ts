import type { Actor, Permission } from '../actor.ts'
import { authorize, authorizeCaller, narrowed, NotSignedIn, personOnly } from '../authorize.ts'
import type { RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import { cookieName } from '../cookies.ts'
import { notFound, Problem, unauthorized } from '../errors.ts'
import type { LimitClass } from '../limits.ts'
import { refuseCrossOrigin } from '../origin.ts'
import type { RequestContext } from '../request-context.ts'
import { count, giveBack } from './count.ts'
import type { Credential, HttpParts } from './parts.ts'
import { serviceIdOf } from '../service-id.ts'
import { createRecentCredentials, nameOf } from './recent-credentials.ts'

const recent = createRecentCredentials()

/** Refuses what another site made a browser send. Throws 403. */
export function protect(http: HttpParts, request: Request, facts: RequestFacts): void {
  refuseCrossOrigin(request, facts.url, facts.cookies.has(cookieName('session', http.https)), http.allowedOrigins)
}

/** What a request shows to prove who calls; null without anything. */
export function credentialOf(facts: RequestFacts, https: boolean): Credential | null {
  const authorization = facts.headers.get('authorization')
  if (authorization !== null) return { authorization }
  const name = cookieName('session', https)
  const session = facts.cookies.get(name)
  return session ? { cookie: `${name}=${session}` } : null
}

interface Wanted {
  context: Context
  permission: Permission
  /** The only services that may; every one when not said. */
  callers?: readonly string[]
  /** What the request counts as; null when it isn't counted. */
  limit: LimitClass | null
  /** Only a service's token for this very service will do. */
  signed?: boolean
}

/**
 * Who calls an operation, when they may; null on public ones. Throws 401, 403 naming the permission, 429, and 503
 * when identity can't say.
 */
export async function admitted(http: HttpParts, requestContext: RequestContext, wanted: Wanted): Promise<Actor | null> {
  const { context, permission, callers, signed } = wanted
  if (permission === 'public') {
    await counted(http, requestContext, wanted, null)
    return null
  }
  const actor = await authenticated(http, requestContext, wanted)
  if (signed && actor.tokenType !== 'service') throw unauthorized('Only a service’s signed requests are taken here.')
  await counted(http, requestContext, wanted, actor)
  return permit(http, actor, { context, permission, callers })
}

/** The caller with the bindings in which they have the permission. Throws 403 without it. */
export async function permit(
  http: HttpParts,
  actor: Actor,
  { context, permission, callers }: Pick<Wanted, 'context' | 'permission' | 'callers'>,
): Promise<Actor> {
  const serviceId = await serviceIdOf(context, http.serviceId)
  authorize(actor, permission, serviceId)
  if (callers) authorizeCaller(actor, callers)
  return narrowed(actor, permission, serviceId)
}

/**
 * Checks the actor of a long request, admitted at `since`, again: the session, key or membership can have ended. A token
 * that only expired since passes, and so does everything while identity is unavailable.
 * @throws {Problem} 401, 403, 404 when the session was switched to another organization, and as the operation's own check
 */
export async function recheck(
  http: HttpParts,
  { facts, actor: before, recheckAccess }: RequestContext,
  { context, permission, since }: Pick<Wanted, 'context' | 'permission'> & { since: Date },
): Promise<void> {
  const credential = credentialOf(facts, http.https)
  if (!credential || !before) return
  try {
    const serviceId = await serviceIdOf(context, http.serviceId)
    const actor = await http.authenticate({
      ...credential,
      audience: audienceOf(context, permission),
      passive: true,
      since,
    })
    authorize(actor, permission, serviceId)
    if (actor.organization?.id !== before.organization?.id) throw notFound('resource')
    await recheckAccess?.(narrowed(actor, permission, serviceId))
  } catch (error) {
    if (error instanceof Problem && error.status < 500) throw error
  }
}

/** The person who looks at a page: on a public one, when that can be told. Throws like `admitted`; keys ask operations. */
export async function visitor(http: HttpParts, requestContext: RequestContext, wanted: Wanted): Promise<Actor | null> {
  if (wanted.permission !== 'public') return personOnly(await admitted(http, requestContext, wanted))
  if (!credentialOf(requestContext.facts, http.https)) {
    await counted(http, requestContext, wanted, null)
    return null
  }
  const actor = await authenticated(http, requestContext, wanted).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 429) throw error
    return null
  })
  if (actor) await counted(http, requestContext, wanted, actor)
  return actor?.tokenType === 'api_key' ? null : actor
}

const counted = async (
  http: HttpParts,
  requestContext: RequestContext,
  { limit }: Wanted,
  actor: Actor | null,
): Promise<void> => (limit ? count(http, requestContext, limit, actor) : undefined)

/**
 * Authenticates the request. Verifying a credential that wasn't recognized lately costs queries, so it is first counted
 * against the client's address, which gets that back when the credential is valid. Throws 401, 429 and 503.
 */
async function authenticated(http: HttpParts, requestContext: RequestContext, wanted: Wanted): Promise<Actor> {
  const credential = credentialOf(requestContext.facts, http.https)
  const name = credential && nameOf(credential)
  const isNew = name === null || !recent.has(name)
  const limit = wanted.limit ?? 'reads'
  if (isNew) await count(http, requestContext, limit, null)
  if (!name) throw new NotSignedIn()
  try {
    const actor = await recognized(http, credential, wanted)
    requestContext.actor = actor
    recent.add(name)
    if (isNew) giveBack(http, requestContext, limit)
    return actor
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    recent.delete(name)
    if (!isNew) await count(http, requestContext, limit, null)
    throw new NotSignedIn(error)
  }
}

/** A service's token is for one service: its own operations say which. */
const audienceOf = ({ slug }: Context, permission: Permission) => (permission === 'service' ? slug : undefined)

async function recognized(
  http: HttpParts,
  credential: Credential,
  { context, permission, signed }: Wanted,
): Promise<Actor> {
  const audience = audienceOf(context, permission)
  const use = { audience, permission: `${await serviceIdOf(context, http.serviceId)}.${permission}`, once: signed }
  return http.authenticate({ ...credential, ...use })
}
