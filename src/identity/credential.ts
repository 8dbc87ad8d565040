import type { RequestFacts } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Config } from '#config'

/** What a request shows to prove who calls: an explicit bearer before the session cookie. */
export type Credential = { bearer: string } | { session: string }

/** Whether cookies carry `Secure` and the `__Host-` prefix. */
export const overHttps = (config: Config): boolean => config.PUBLIC_URL?.startsWith('https:') ?? false

/** The credential of a request; null without one. */
export function credentialOf(request: RequestFacts, config: Config): Credential | null {
  const authorization = request.headers.get('authorization')
  if (authorization !== null) return { bearer: /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '' }
  const session = request.cookies.get(cookieName('session', overHttps(config)))
  return session ? { session } : null
}

/** A browser keeps its tokens in cookies and never sees the refresh token (IDN-26). */
export const isBrowser = (request: RequestFacts): boolean => request.html || request.headers.has('sec-fetch-site')
