import type { Call } from '#lib/call.ts'
import { sign } from '../keys.ts'
import { accessLifetime } from '../tokens.ts'
import { issuerOf } from './authorize.ts'
import type { ServiceSignIn } from './exchange.ts'

/** What a client may ask to be told of a person. */
export const scopes = ['openid', 'profile', 'email'] as const

/** Of what was asked for, what is granted: what nobody knows is left out. */
export const grantedScopes = (asked: string | null): string[] =>
  scopes.filter((scope) => asked?.split(' ').includes(scope))

/**
 * An ID token (OpenID Connect Core, 2): it tells its client who has signed in and opens nothing here, since its issuer
 * is identity's address and not the one of access tokens.
 */
export function signIdToken(call: Call, client: string, { user, code, signedInAt }: ServiceSignIn): Promise<string> {
  const granted = grantedScopes(code.scope)
  const claims = {
    iss: issuerOf(call),
    aud: client,
    sub: user.id,
    iat: seconds(call.now()),
    auth_time: seconds(signedInAt),
    ...(code.nonce !== null && { nonce: code.nonce }),
    ...(granted.includes('profile') && { name: user.name }),
    ...(granted.includes('email') && emailClaims(user)),
  }
  return sign(call, claims, accessLifetime)
}

/** An app may match accounts by the address, so one that isn't known to be the person's own is left out. */
const emailClaims = ({ email, emailVerifiedAt }: ServiceSignIn['user']): Record<string, string | boolean> =>
  emailVerifiedAt ? { email, email_verified: true } : { email_verified: false }

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
