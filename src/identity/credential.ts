import type { Config } from '#config'
import type { RequestFacts } from '#lib/call.ts'
import { cookieName, readCookies } from '#lib/cookies.ts'

/** What a request shows: its `Authorization` header, and the cookies of its header. */
export interface Presented {
  authorization?: string
  cookie?: string
  /** The slug of the service that was called; service tokens for another one are refused. Identity when not said. */
  audience?: string
  /** What the credential is used for, as `<serviceId>.<resource>:<action>`: an API key keeps when each scope was. */
  permission?: string
  /** A service's token is used up by it. Takes effect only in identity's own process. */
  once?: boolean
  /** Not a use by the caller: doesn't extend a session or mark a key as used. Only in identity's own process. */
  passive?: boolean
  /** The start of a request that is still running: tokens that expired since are valid for it. Only in identity's own process. */
  since?: Date
}

/** What a request shows, to be handed on to identity. */
export const presentedBy = ({ headers }: Pick<RequestFacts, 'headers'>): Presented => ({
  authorization: headers.get('authorization') ?? undefined,
  cookie: headers.get('cookie') ?? undefined,
})

/** What a request shows to prove who calls: an explicit bearer before the session cookie. */
export type Credential = { bearer: string } | { session: string }

/** Whether cookies carry `Secure` and the `__Host-` prefix. */
export const usesHttps = (config: Config): boolean => config.PUBLIC_URL?.startsWith('https:') ?? false

/** The bearer among what is shown. Another scheme's is no token: then it is empty. */
export const bearerOf = ({ authorization }: Presented): string | undefined =>
  authorization === undefined ? undefined : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '')

/** The credential among what is shown; null without one. */
export function credentialOf(presented: Presented, config: Config): Credential | null {
  const bearer = bearerOf(presented)
  if (bearer !== undefined) return { bearer }
  const session = readCookies(presented.cookie ?? null).get(cookieName('session', usesHttps(config)))
  return session ? { session } : null
}

/** A browser keeps its tokens in cookies and never sees the refresh token (IDN-26). */
export const isBrowser = (request: RequestFacts): boolean => request.html || request.headers.has('sec-fetch-site')
