import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { createAuthenticator, type Authenticator, type AuthenticatorRecord } from './authenticator.ts'
import { totp } from './totp.ts'

/** Values for second factors. */
export interface Factors {
  /** Of a person who still has to enter the code of `code`. */
  challenge: string
  /** The current codes of the authenticator app and of the one that a resident is adding. */
  code(): string
  /** A recovery code of the resident. */
  recoveryCode: string
  /** Another one: each is valid once. */
  otherRecoveryCode: string
  /** The response of the resident's passkey to its challenge. */
  assertion(): unknown
  /** The response of another passkey that the resident is adding. */
  attestation(): unknown
  /** The resident's passkey, and one of another person. */
  passkeys: [string, string]
}

/** The same as JSON. */
export interface PreparedFactors {
  challenge: string
  recoveryCode: string
  otherRecoveryCode: string
  passkeys: [string, string]
  residentId: string
  own: AuthenticatorRecord
  added: AuthenticatorRecord
  forAdding: string
  forSigningIn: string
}

/** Recreates the devices of `prepareFactors`. */
export function openFactors({ residentId, ...made }: PreparedFactors): Factors {
  const [own, added] = [made.own, made.added].map((record) => createAuthenticator(undefined, record))
  return {
    challenge: made.challenge,
    code: () => totp(secret),
    recoveryCode: made.recoveryCode,
    otherRecoveryCode: made.otherRecoveryCode,
    assertion: () => own?.assert(made.forSigningIn, residentId),
    attestation: () => added?.attest(made.forAdding),
    passkeys: made.passkeys,
  }
}

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/**
 * Adds an authenticator app and a second passkey for a resident who has one, as another resident does; and lets a new
 * person stop halfway through signing in.
 */
export async function prepareFactors(
  { sql }: DatabaseHandle,
  { secrets }: Pick<Provided, 'secrets'>,
  [residentId, otherId]: [string, string],
): Promise<PreparedFactors> {
  const [id, enrollment, confirmed, challenge] = [newId(), newId(), newId(), newId()]
  const seal = (row: string) => secrets.seal(secret, `identity.totp_authenticators:${row}`)
  await sql`INSERT INTO identity.users (id, email, name, created_at) VALUES (${id}, 'tess@example.com', 'Tess', now())`
  await sql`
    INSERT INTO identity.totp_authenticators (id, user_id, sealed_secret, created_at, confirmed_at, last_step)
    VALUES (${enrollment}, ${residentId}, ${seal(enrollment)}, now() + interval '1 hour', NULL, NULL),
      (${confirmed}, ${id}, ${seal(confirmed)}, now(), now(), 0)`
  await sql`
    INSERT INTO identity.sign_in_challenges (token_hash, user_id, method, created_at, expires_at)
    VALUES (${digest(challenge)}, ${id}, 'password', now(), now() + interval '1 day')`
  const [recoveryCode, otherRecoveryCode] = ['abcdefghjkmnpqrs', 'tuvwxyzabcdefghj']
  await sql`
    INSERT INTO identity.recovery_codes (user_id, hash, created_at) 
    VALUES (${residentId}, ${digest(recoveryCode)}, now()), (${residentId}, ${digest(otherRecoveryCode)}, now())`
  const [own, foreign, added] = [createAuthenticator(), createAuthenticator(), createAuthenticator()]
  const passkeys: PreparedFactors['passkeys'] = [newId(), newId()]
  const passkey = (nth: 0 | 1, userId: string, { credentialId, publicKey }: Authenticator) => ({
    id: passkeys[nth],
    user_id: userId,
    name: 'Phone',
    credential_id: credentialId,
    public_key: publicKey,
    counter: 0,
    transports: [],
    rp_id: 'localhost',
    backed_up: false,
    created_at: new Date(),
  })
  await sql`INSERT INTO identity.passkeys ${sql([passkey(0, residentId, own), passkey(1, otherId, foreign)])}`
  const [forAdding, forSigningIn] = [randomToken(), randomToken()]
  await sql`
    INSERT INTO identity.passkey_challenges (hash, user_id, created_at, expires_at)
    VALUES (${digest(forAdding)}, ${residentId}, now(), now() + interval '1 day'),
      (${digest(forSigningIn)}, NULL, now(), now() + interval '1 day')`
  return {
    challenge,
    recoveryCode,
    otherRecoveryCode,
    passkeys,
    residentId,
    own: own.record,
    added: added.record,
    forAdding,
    forSigningIn,
  }
}
