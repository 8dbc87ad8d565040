import type { Actor, Permission } from '../actor.ts'
import { authorize, NotSignedIn } from '../authorize.ts'
import type { RequestFacts } from '../call.ts'
import type { Context } from '../context.ts'
import { cookieName } from '../cookies.ts'
import { Problem } from '../errors.ts'
import { refuseCrossOrigin } from '../origin.ts'
import type { Credential, HttpParts } from './parts.ts'

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

/** Who calls, when they may. Throws 401, 403 naming the permission, and 503 when identity can't say. */
export async function admitted(
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
export async function visitor(http: HttpParts, facts: RequestFacts): Promise<Actor | null> {
  const credential = credentialOf(facts, http.https)
  return credential ? http.authenticate(credential).catch(() => null) : null
}
