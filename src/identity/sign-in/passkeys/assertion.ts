import { and, eq, lt } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { passkeys } from '../../schema.ts'
import { consumeChallenge, type ChallengePurpose } from './challenges.ts'
import type { Assertion } from './credential.ts'
import { relyingPartyOf } from './relying-party.ts'

export type Passkey = typeof passkeys.$inferSelect

/** Consumes the challenge. */
export async function checkAssertion(
  call: Call,
  credential: Assertion,
  purpose: ChallengePurpose,
): Promise<{ passkey?: Passkey; valid: boolean }> {
  const challenge = await consumeChallenge(call.db, credential.response.clientDataJSON, purpose, call.now())
  const [passkey] = await call.db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credential.id), eq(passkeys.rpId, relyingPartyOf(call).id)))
  const isTheirs = passkey !== undefined && (purpose.userId === null || passkey.userId === purpose.userId)
  const counter = challenge !== null && isTheirs ? await verifyCounter(call, passkey, credential, challenge) : null
  const valid = counter !== null && passkey !== undefined && (await recordUse(call, passkey, counter))
  return { passkey, valid }
}

/** The authenticator’s signature counter; null for an invalid assertion. */
async function verifyCounter(call: Call, passkey: Passkey, { response, ...credential }: Assertion, challenge: string) {
  const { userHandle, ...signed } = response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, origin } = relyingPartyOf(call)
  const { credentialId, publicKey, counter } = passkey
  const answer = await verifyAuthenticationResponse({
    response: { ...credential, response: signed, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
  }).catch(() => null)
  return answer?.verified ? answer.authenticationInfo.newCounter : null
}

/** False when the counter has not increased, as in a copied passkey. Some authenticators always send 0. */
async function recordUse({ db, now }: Call, { id }: Passkey, counter: number): Promise<boolean> {
  const isLater = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const used = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now() })
    .where(and(eq(passkeys.id, id), isLater))
    .returning()
  return used.length > 0
}
