import type { Clock } from '../wire/clock.ts'
import type { Grants, Token } from '../wire/grants.ts'
import { faults, graphError } from './errors.ts'

const hour = 3_600_000
export const codeMs = hour
export const shortMs = hour
export const longMs = 60 * 24 * hour

/** The live token of one of these kinds. @throws as the Graph APIs refuse others. */
export function liveToken(grants: Grants, clock: Clock, value: string | null, kinds: string[]): Token {
  const token = grants.find(value)
  if (!token || !kinds.includes(token.kind)) throw graphError(faults.unreadableToken)
  if (token.state === 'revoked') throw graphError(faults.revokedToken)
  if (token.expiresAt <= clock.now()) throw graphError(faults.expiredToken)
  return token
}

/** @throws when the token lacks one of the scopes. */
export function needScopes(token: Token, ...scopes: string[]): void {
  if (scopes.some((scope) => !token.scopes.includes(scope))) throw graphError(faults.noPermission)
}

export const bearerOf = (token: Token, clock: Clock) => ({
  access_token: token.value,
  token_type: 'bearer',
  expires_in: Math.round((token.expiresAt - clock.now()) / 1000),
})
