import { and, eq, lt } from 'drizzle-orm'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { accountOf, findUser } from '../accounts.ts'
import { passkeys } from '../schema.ts'
import { signedIn } from '../signing-in.ts'
import { keepChallenge, lifetime, spendChallenge } from './challenges.ts'
import type { Assertion, PasskeySignIn } from './contract.ts'
import { partyOf } from './party.ts'

type Passkey = typeof passkeys.$inferSelect

/** What a browser asks an authenticator to sign: every passkey of this host will do, and says whose it is. */
export async function askToSignIn(call: Call) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const rpID = partyOf(call).id
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout: lifetime })
  await keepChallenge(call.db, options.challenge, null, call.now())
  return { ...options, rpId: rpID }
}

/** Signs in whoever holds a passkey. Throws 401, the same whatever is wrong with it. */
export async function signInByPasskey(call: Call, { credential, next }: PasskeySignIn) {
  const { clientDataJSON } = credential.response
  const challenge = await spendChallenge(call.db, clientDataJSON, null, call.now())
  const [passkey] = await call.db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialId, credential.id), eq(passkeys.rpId, partyOf(call).id)))
  const counter = challenge !== null && passkey ? await counterOf(call, passkey, credential, challenge) : null
  if (!passkey || counter === null || !(await noteUse(call, passkey, counter))) throw await refused(call, passkey)
  const account = await accountOf(call.db, await findUser(call.db, passkey.userId))
  return signedIn(call, 200, account, { how: 'passkey', next })
}

/** How often the authenticator says that it was used; null when the answer is not the passkey's own. */
async function counterOf(call: Call, passkey: Passkey, { response, ...credential }: Assertion, challenge: string) {
  const { userHandle, ...signed } = response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, origin } = partyOf(call)
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

/** Whether it counts on from its last use, as the copy of a passkey would not. Those that don't count say 0. */
async function noteUse({ db, now }: Call, { id }: Passkey, counter: number): Promise<boolean> {
  const isLater = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const used = await db
    .update(passkeys)
    .set({ counter, lastUsedAt: now() })
    .where(and(eq(passkeys.id, id), isLater))
    .returning()
  return used.length > 0
}

async function refused(call: Call, passkey: Passkey | undefined): Promise<Problem> {
  await auditedStep(call, async (tx) => audited(tx, { object: 'passkey', id: passkey?.id, refused: true }))
  return new Problem(
    401,
    'passkey_refused',
    'This passkey signs nobody in here. Try once more, or sign in with your password.',
  )
}
