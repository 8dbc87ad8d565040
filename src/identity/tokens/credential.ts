import type { Config } from '#config'
import type { RequestFacts } from '#lib/call.ts'
import { cookieName, readCookies } from '#lib/cookies.ts'
import type { Credential as PresentedCredential } from '#lib/http/dependencies.ts'

export type Presented = PresentedCredential

export const presentedBy = ({ headers }: Pick<RequestFacts, 'headers'>): Presented => ({
  authorization: headers.get('authorization') ?? undefined,
  cookie: headers.get('cookie') ?? undefined,
})

/** A bearer token takes precedence over the session cookie. */
export type Credential = { bearer: string } | { session: string }

/** Whether cookies have `Secure` and the `__Host-` prefix. */
export const usesHttps = (config: Config): boolean => config.PUBLIC_URL?.startsWith('https:') ?? false

/** The bearer token; empty for another authentication scheme. */
export const bearerOf = ({ authorization }: Presented): string | undefined =>
  authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')

export function credentialOf(presented: Presented, config: Config): Credential | null {
  const bearer = bearerOf(presented)
  if (bearer !== undefined) return { bearer }
  const session = readCookies(presented.cookie ?? null).get(cookieName('session', usesHttps(config)))
  return session ? { session } : null
}

/** A browser gets its tokens as cookies and never sees the refresh token (IDN-26). */
export const isBrowser = (request: RequestFacts): boolean => request.html || request.headers.has('sec-fetch-site')
