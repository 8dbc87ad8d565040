import type { Cookie } from './reply.ts'

/** The first of several with the same name counts. */
export function readCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>()
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && !cookies.has(name)) cookies.set(name, part.slice(at + 1).trim())
  }
  return cookies
}

/** The `__Host-` prefix limits a cookie to this host over https (PLT-21). */
export const cookieName = (name: string, https: boolean): string => (https ? `__Host-${name}` : name)

export const setCookie = (cookie: Cookie, https: boolean): string =>
  [
    `${cookieName(cookie.name, https)}=${encodeURIComponent(cookie.value)}`,
    'Path=/',
    `Max-Age=${cookie.maxAge}`,
    'SameSite=Lax',
    ...(cookie.httpOnly === false ? [] : ['HttpOnly']),
    ...(https ? ['Secure'] : []),
  ].join('; ')
