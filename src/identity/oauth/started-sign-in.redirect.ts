import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import { randomToken } from '#lib/ids.ts'
import { redirect, type Cookie, type Redirect } from '#lib/reply.ts'
import { callbackPath, localPath } from '../http/responses.ts'
import { usesHttps } from '../tokens/credential.ts'
import { findRemoteAuthority } from './authority.ts'
import { challengeOf } from './pkce.ts'

const cookieBase = 'started-sign-in'
const lifetimeSeconds = 10 * 60

const StartedSignIn = z.object({ verifier: z.string(), state: z.string(), next: z.string() })
export type StartedSignIn = z.output<typeof StartedSignIn>

/**
 * Begins to sign in at identity’s host without a page of this one (PAY-02), for services whose sign-in page only
 * redirects. Null on other hosts.
 */
export function startSignIn(
  call: Pick<Call, 'hosts' | 'config' | 'request'>,
  next: string | undefined,
  redirecting: readonly string[],
): Redirect | null {
  const authority = findRemoteAuthority(call)
  if (!authority || !redirecting.includes(authority.service)) return null
  const started = { verifier: randomToken(), state: randomToken(), next: next === undefined ? '' : localPath(next) }
  const url = new URL('/sso/authorize', authority.origin)
  url.search = new URLSearchParams({
    service_id: authority.service,
    redirect_uri: new URL(callbackPath, call.request.url.origin).href,
    state: started.state,
    code_challenge: challengeOf(started.verifier),
    code_challenge_method: 'S256',
  }).toString()
  const cookie = { name: cookieBase, value: JSON.stringify(started), maxAge: lifetimeSeconds }
  return redirect(url.href, { cookies: [cookie] })
}

/** What `startSignIn` began in this browser, for the page that redeems the code. */
export function readStartedSignIn({ request, config }: Pick<Call, 'request' | 'config'>): StartedSignIn | null {
  const value = request.cookies.get(cookieName(cookieBase, usesHttps(config)))
  return value === undefined ? null : (Stored.safeParse(value).data ?? null)
}

const Stored = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(decodeURIComponent(text))
    } catch {
      context.addIssue({ code: 'custom', message: 'Must be JSON.' })
      return z.NEVER
    }
  })
  .pipe(StartedSignIn)

export const endedSignIn: Cookie = { name: cookieBase, value: '', maxAge: 0 }
