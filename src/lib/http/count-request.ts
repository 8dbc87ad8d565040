import type { Actor } from '../actor.ts'
import { networkOf } from '../address.ts'
import { Problem, retryLater } from '../errors.ts'
import type { Allowance, LimitClass } from '../limits.ts'
import type { RequestContext } from '../request/context.ts'
import type { HttpDependencies } from './dependencies.ts'

/**
 * Counts a request against the allowance of its credential and organization, or of its address without a credential
 * (PLT-14). Calls within this process and between services aren't counted.
 * @throws {Problem} 429
 */
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

/** Reverts `countRequest` for the address of a request. */
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

/** Sets the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function setLimitHeaders(headers: Headers, { allowance }: RequestContext): void {
  if (!allowance) return
  const { class: name, quota, windowSeconds, remaining, resetsInSeconds } = allowance
  headers.set('RateLimit-Policy', `"${name}";q=${quota};w=${windowSeconds}`)
  headers.set('RateLimit', `"${name}";r=${remaining};t=${resetsInSeconds}`)
}
