import type { Clock } from '#lib/time.ts'

/** `fresh` skips the cache, after the last token was refused. */
export type ServiceTokens = (audience: string, options?: { fresh: true }) => Promise<string>

/** By the slug of the calling service. */
export type TokenSource = (caller: string) => ServiceTokens

export function createTokensByCaller(make: TokenSource): TokenSource {
  const made = new Map<string, ServiceTokens>()
  return (caller) => {
    const tokens = made.get(caller) ?? make(caller)
    made.set(caller, tokens)
    return tokens
  }
}

const renewBeforeSeconds = 60

/** Until shortly before it expires; lifetimes are in seconds. */
export function cacheTokens(
  now: Clock,
  fetchToken: (audience: string) => Promise<{ token: string; lifetime: number }>,
): ServiceTokens {
  const cached = new Map<string, { token: Promise<string>; until: number }>()
  return (audience, options) => {
    const known = options?.fresh ? undefined : cached.get(audience)
    if (known && known.until > now().getTime()) return known.token
    const fetched = fetchToken(audience)
    // Concurrent callers wait for the same request.
    const entry = { token: fetched.then(({ token }) => token), until: Infinity }
    cached.set(audience, entry)
    fetched.then(
      ({ lifetime }) => (entry.until = now().getTime() + (lifetime - renewBeforeSeconds) * 1000),
      () => cached.delete(audience),
    )
    return entry.token
  }
}
