import type { Actor } from '../actor.ts'
import { networkOf } from '../address.ts'
import { Problem } from '../errors.ts'
import type { Allowance, LimitClass } from '../limits.ts'
import type { RequestContext } from '../request-context.ts'
import type { HttpParts } from './parts.ts'

/**
 * Counts a request against its credential's allowance and its organization's, or its address's without a credential (PLT-14). What this
 * process asks of itself and what our services ask of each other isn't counted. Throws 429.
 */
export async function count(
  http: HttpParts,
  context: RequestContext,
  what: LimitClass,
  actor: Actor | null,
): Promise<void> {
  const { facts } = context
  if (facts.address === null || actor?.credential.kind === 'service') return
  const subject = actor?.credential.id ?? networkOf(facts.address)
  const allowance = await http.limits.take(what, subject, actor?.organization?.id)
  if (!allowance) return
  context.allowance = allowance
  if (!allowance.granted) throw tooMany(allowance)
}

/** Gives back what was counted against the address of a request. */
export function giveBack(http: HttpParts, { facts }: RequestContext, what: LimitClass): void {
  if (facts.address !== null) http.limits.giveBack(what, networkOf(facts.address))
}

function tooMany({ quota, window, resetsIn, shared }: Allowance): Problem {
  const whose = shared ? ' by all people and keys of this organization together' : ''
  return new Problem(
    429,
    'rate_limited',
    `More than ${quota} requests in ${window} s${whose}. Go on in ${resetsIn} s.`,
    {
      headers: { 'Retry-After': String(resetsIn) },
    },
  )
}

/** Tells where the caller stands, as draft-ietf-httpapi-ratelimit-headers-10 writes it. */
export function setLimitHeaders(headers: Headers, { allowance }: RequestContext): void {
  if (!allowance) return
  const { class: name, quota, window, remaining, resetsIn } = allowance
  headers.set('RateLimit-Policy', `"${name}";q=${quota};w=${window}`)
  headers.set('RateLimit', `"${name}";r=${remaining};t=${resetsIn}`)
}
