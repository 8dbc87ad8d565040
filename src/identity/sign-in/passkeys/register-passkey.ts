import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { findUser } from '../../accounts/accounts.ts'
import { personOf, requireSessionId } from '../../accounts/caller.ts'
import { passkeys } from '../../schema.ts'
import type { Proof } from '../second-factor/contract.ts'
import { notifyOwnersOfFirstFactor } from '../second-factor/first-factor.ts'
import { sendSecurityNotice } from '../../accounts/security-notices.ts'
import { requireReauthentication } from '../second-factor/proof.ts'
import { requireFactorChangeAllowed, lockFactors } from '../second-factor/required.ts'
import { markSecondFactorVerified } from '../sessions.ts'
import { storeChallenge, lifetimeMs, consumeChallenge } from './challenges.ts'
import type { PasskeyDraft } from './contract.ts'
import type { Attestation } from './credential.ts'
import { relyingPartyOf } from './relying-party.ts'

type ActorCall = Call<unknown, Actor>
type Values = typeof passkeys.$inferInsert

/** Per person. */
const maxPasskeys = 20

/** `addPasskey` accepts only a response to them. @throws as `requireReauthentication` */
export async function createRegistrationOptions(call: ActorCall, proof: Proof) {
  await requireFactorChangeAllowed(call)
  const { db, now } = call
  const rpID = relyingPartyOf(call).id
  const user = await requireReauthentication(call, proof)
  const known = await db.select().from(passkeys).where(eq(passkeys.userId, user.id))
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Atrium',
    rpID,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name,
    timeout: lifetimeMs,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(db, options.challenge, { purpose: 'add', userId: user.id }, now())
  return { ...options }
}

/** @throws 422 for another challenge or origin, or without user verification; 409 for a known passkey and beyond 20 */
export async function addPasskey(call: ActorCall, { name, credential }: PasskeyDraft) {
  const userId = personOf(call.actor)
  const session = await requireSessionId(call)
  await requireFactorChangeAllowed(call)
  const made = await verifyCredential(call, userId, credential)
  return auditedTransaction(call, async (tx) => {
    const passkey = await insertPasskey(tx, { ...made, id: newId(), userId, name, createdAt: call.now() })
    // Not its name: names are the person's own data, and the log is also the organization's.
    recordChange(tx, { object: 'passkey', id: passkey.id })
    await markSecondFactorVerified(tx, call.events, session)
    const user = await findUser(tx, userId)
    await sendSecurityNotice(call, tx, user, 'passkeyAdded')
    await notifyOwnersOfFirstFactor(call, tx, user)
    return passkey
  })
}

type VerifiedCredential = Pick<Values, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'rpId' | 'backedUp'>

async function verifyCredential(call: ActorCall, userId: string, credential: Attestation): Promise<VerifiedCredential> {
  const { response } = credential
  const expectedChallenge = await consumeChallenge(
    call.db,
    response.clientDataJSON,
    { purpose: 'add', userId },
    call.now(),
  )
  if (expectedChallenge === null) throw invalidCredential()
  const { id: rpId, origin } = relyingPartyOf(call)
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw invalidCredential(cause)
  })
  if (!registrationInfo) throw invalidCredential()
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const backedUp = registrationInfo.credentialBackedUp
  const transports = response.transports ?? []
  return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports, rpId, backedUp }
}

async function insertPasskey(tx: Database, values: Values): Promise<typeof passkeys.$inferSelect> {
  await lockFactors(tx, values.userId)
  if ((await tx.$count(passkeys, eq(passkeys.userId, values.userId))) >= maxPasskeys)
    throw conflict('too_many_passkeys', `You can have at most ${maxPasskeys} passkeys. Remove one first.`)
  const [row] = await tx
    .insert(passkeys)
    .values(values)
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'passkeys_credential' ? alreadyKnown() : error
    })
  if (!row) throw new Error('The new passkey was not stored')
  return row
}

const alreadyKnown = () => conflict('passkey_exists', 'This passkey was already added. Sign in with it.')

function invalidCredential(cause?: unknown) {
  const problem = invalid([{ path: 'credential', message: 'We couldn’t verify this passkey. Try again.' }])
  problem.options.cause = cause
  return problem
}
