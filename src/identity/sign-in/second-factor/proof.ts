import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid, type Problem } from '#lib/errors.ts'
import { findUser, type Account } from '../../accounts/accounts.ts'
import { personOf } from '../../accounts/caller.ts'
import { knownCaller } from '../passwords/hash-queue.ts'
import { verifyPassword } from '../passwords/passwords.ts'
import { verifyThrottled, reauthenticationSubjects } from '../login-throttle.ts'
import { markSecondFactorVerified } from '../sessions.ts'
import { consumeCode } from '../totp/codes.ts'
import { checkAssertion } from '../passkeys/assertion.ts'
import type { Assertion } from '../passkeys/credential.ts'
import type { Proof } from './contract.ts'
import { consumeMailedCode } from './mailed-code.ts'
import { resetAttempts, takeAttempt } from './attempts.ts'
import { canProveByMail, getProofMethods } from './proof-methods.ts'

type ActorCall = Call<unknown, Actor>

/** An open session is not enough, however new. Returns the caller. @throws 422 for a wrong or missing proof; 429 */
export async function requireReauthentication(
  call: ActorCall,
  { password, code, passkey }: Proof,
): Promise<Account['user']> {
  const user = await findUser(call.db, personOf(call.actor))
  if (passkey) await requirePasskey(call, user.id, passkey)
  else if (code) await requireCode(call, user, code)
  else if (password) await requirePassword(call, user, password)
  else throw await missingProof(call, user)
  return user
}

async function missingProof(call: ActorCall, user: Account['user']): Promise<Problem> {
  const ways = await getProofMethods(call.db, user)
  if (ways.password) return invalid([{ path: 'password', message: 'Enter your password.' }])
  const code = canProveByMail(ways)
    ? 'Enter the code that we emailed you.'
    : 'Enter a code from your authenticator app.'
  return invalid([{ path: 'code', message: ways.passkey ? `${code} You can also use a passkey.` : code }])
}

async function requirePasskey(call: ActorCall, userId: string, passkey: Assertion): Promise<void> {
  if ((await checkAssertion(call, passkey, { purpose: 'prove', userId })).valid) return
  throw invalid([{ path: 'passkey', message: 'We couldn’t verify this passkey. Try again.' }])
}

async function requirePassword(call: ActorCall, user: Account['user'], password: string): Promise<void> {
  if (!(await isOwnPassword(call, user, password)))
    throw invalid([{ path: 'password', message: 'Incorrect password.' }])
}

/** @throws 429 after too many wrong passwords */
export const isOwnPassword = (call: ActorCall, { id, passwordHash }: Account['user'], password: string) =>
  verifyThrottled(call, reauthenticationSubjects(id), () =>
    verifyPassword(password.normalize('NFKC'), passwordHash, knownCaller(id)),
  )

/** @throws 422 for a wrong code; 429 after five of them */
async function requireCode(call: ActorCall, user: Account['user'], code: string): Promise<void> {
  await takeAttempt(call.db, { userId: user.id }, call.now())
  if (!(await consumeProofCode(call, user, code)))
    throw invalid([{ path: 'code', message: 'Incorrect or already used code.' }])
  await resetAttempts(call.db, { userId: user.id })
}

async function consumeProofCode(call: ActorCall, user: Account['user'], code: string): Promise<boolean> {
  if (code.length !== 8) return (await consumeCode(call, user.id, code)) !== null
  // The person can have set a password since the email.
  if (!canProveByMail(await getProofMethods(call.db, user))) return false
  return consumeMailedCode(call.db, user.id, code, call.now())
}

/** Only an authenticator app or a recovery code: an email proves no second factor. @throws 422, 429 */
export async function verifySecondFactorOf(
  call: Pick<Call, 'db' | 'secrets' | 'now'>,
  { id, code }: { id: string; code: string },
): Promise<void> {
  await takeAttempt(call.db, { userId: id }, call.now())
  if ((await consumeCode(call, id, code)) === null)
    throw invalid([{ path: 'code', message: 'Incorrect or already used code.' }])
  await resetAttempts(call.db, { userId: id })
}

/** @throws as `requireReauthentication` */
export async function stepUp(call: ActorCall, code: string): Promise<void> {
  const user = await findUser(call.db, personOf(call.actor))
  await requireCode(call, user, code)
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'session', id: call.actor.credential.id, after: { secondFactor: true } })
    await markSecondFactorVerified(tx, call.events, call.actor.credential.id)
  })
}
