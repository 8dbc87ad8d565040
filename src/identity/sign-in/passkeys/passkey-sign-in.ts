import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { accountOf, findUser } from '../../accounts/accounts.ts'
import { signIn } from '../sign-in.ts'
import { checkAssertion, type Passkey } from './assertion.ts'
import { storeChallenge, lifetimeMs } from './challenges.ts'
import type { PasskeySignIn } from './contract.ts'
import { relyingPartyOf } from './relying-party.ts'

const purpose = { purpose: 'sign_in', userId: null } as const

export async function createSignInOptions(call: Call) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server')
  const rpID = relyingPartyOf(call).id
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout: lifetimeMs })
  await storeChallenge(call.db, options.challenge, purpose, call.now())
  return { ...options, rpId: rpID }
}

/** @throws 401, with the same message for every reason */
export async function signInWithPasskey(call: Call, { credential, next }: PasskeySignIn) {
  const { passkey, valid } = await checkAssertion(call, credential, purpose)
  if (!passkey || !valid) throw await recordRefusal(call, passkey)
  const account = await accountOf(call.db, await findUser(call.db, passkey.userId))
  return signIn(call, 200, account, { how: 'passkey', next })
}

async function recordRefusal(call: Call, passkey: Passkey | undefined): Promise<Problem> {
  await auditedTransaction(call, async (tx) => recordChange(tx, { object: 'passkey', id: passkey?.id, refused: true }))
  return new Problem(
    401,
    'passkey_invalid',
    'We couldn’t verify this passkey. Try again, or sign in with your password.',
  )
}
