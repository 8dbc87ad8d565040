import type { Clock } from '#lib/time.ts'

/** A token for calls to the service with this slug; a new one with `fresh`, since the last one was refused. */
export type ServiceTokens = (audience: string, wish?: { fresh: true }) => Promise<string>

/** Tokens of one service of this process, by its slug. */
export type TokenSource = (caller: string) => ServiceTokens

/** Makes the tokens of each service once. */
export function createTokensByCaller(make: TokenSource): TokenSource {
  const made = new Map<string, ServiceTokens>()
  return (caller) => {
    const tokens = made.get(caller) ?? make(caller)
    made.set(caller, tokens)
    return tokens
  }
}

/** Seconds before its end at which a token is replaced. */
const renewBeforeSeconds = 60

/** Tokens that are fetched once for each audience, and kept for most of their life, which is in seconds. */
export function cacheTokens(
  now: Clock,
  fetchToken: (audience: string) => Promise<{ token: string; lifetime: number }>,
): ServiceTokens {
  const kept = new Map<string, { token: Promise<string>; until: number }>()
  return (audience, wish) => {
    const known = wish?.fresh ? undefined : kept.get(audience)
    if (known && known.until > now().getTime()) return known.token
    const fetched = fetchToken(audience)
    // Until it has come, whoever else asks waits for the same.
    const entry = { token: fetched.then(({ token }) => token), until: Infinity }
    kept.set(audience, entry)
    fetched.then(
      ({ lifetime }) => (entry.until = now().getTime() + (lifetime - renewBeforeSeconds) * 1000),
      () => kept.delete(audience),
    )
    return entry.token
  }
}
