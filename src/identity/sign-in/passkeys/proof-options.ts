import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { conflict } from '#lib/errors.ts'
import { personOf } from '../../accounts/caller.ts'
import { passkeys } from '../../schema.ts'
import { storeChallenge, lifetimeMs } from './challenges.ts'
import { relyingPartyOf } from './relying-party.ts'

/** @throws 409 when none works on this host */
export async function createProofOptions(call: Call<unknown, Actor>) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const userId = personOf(call.actor)
  const rpID = relyingPartyOf(call).id
  const own = await call.db
    .select({ id: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(and(eq(passkeys.userId, userId), eq(passkeys.rpId, rpID)))
  if (own.length === 0) throw conflict('no_passkey', 'You have no passkey for this site.')
  const input = { rpID, allowCredentials: own, userVerification: 'required', timeout: lifetimeMs } as const
  const options = await generateAuthenticationOptions(input)
  await storeChallenge(call.db, options.challenge, { purpose: 'prove', userId }, call.now())
  return { ...options, rpId: rpID }
}
