import type { Call } from '#lib/call.ts'
import { sign } from '../tokens/signing-keys.ts'
import { accessLifetime } from '../tokens/tokens.ts'
import { issuerOf } from './authorize.ts'
import type { ServiceSignIn } from './exchange.ts'

export const scopes = ['openid', 'profile', 'email'] as const

export const grantedScopes = (requested: string | null): string[] =>
  scopes.filter((scope) => requested?.split(' ').includes(scope))

/** OpenID Connect Core, 2. It authorizes nothing here: its issuer is identity’s URL, not the one of access tokens. */
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

/** Apps may match accounts by email address, so unverified addresses are left out. */
const emailClaims = ({ email, emailVerifiedAt }: ServiceSignIn['user']): Record<string, string | boolean> =>
  emailVerifiedAt ? { email, email_verified: true } : { email_verified: false }

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)
