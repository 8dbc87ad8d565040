import { and, eq, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { findUser, type Account } from '../accounts.ts'
import { personOf, sessionId } from '../current.ts'
import { isPassword } from '../passwords.ts'
import { sessions } from '../schema.ts'
import { guessed, proving } from '../sign-in/slowdown.ts'
import { nowShownTwo } from '../sessions.ts'
import { spendCode } from '../totp/codes.ts'
import type { Proof } from './contract.ts'
import { forgetTries, takeTry } from './tries.ts'

type Acting = Call<unknown, Actor>

/** Milliseconds that signing in counts as a proof. */
const freshness = 15 * 60 * 1000

/**
 * The caller, who shows once more that it is them: a session left open must not be enough. Whoever has no password may
 * have signed in just now instead. Throws 422 for a wrong or missing proof, 429 after five wrong codes or passwords.
 */
export async function proven(call: Acting, { password, code }: Proof): Promise<Account['user']> {
  const user = await findUser(call.db, personOf(call.actor))
  if (code) await refuseWrongCode(call, user.id, code)
  else if (password) await refuseWrongPassword(call, user, password)
  else if (user.passwordHash !== null || !(await isFresh(call))) throw missing(user)
  return user
}

/** The same where having signed in just now is enough for everyone. A proof that is given must be right even so. */
export async function provenLately(call: Acting, proof: Proof): Promise<Account['user']> {
  const isGiven = Boolean(proof.password || proof.code)
  return !isGiven && (await isFresh(call)) ? findUser(call.db, personOf(call.actor)) : proven(call, proof)
}

const missing = ({ passwordHash }: Account['user']) =>
  passwordHash === null
    ? invalid([{ path: 'code', message: 'Sign in again first, or send a code of your authenticator app.' }])
    : invalid([{ path: 'password', message: 'Send your password, or a code of your authenticator app.' }])

/** An app that one arrived at from another session was signed in to by nobody. */
async function isFresh(call: Acting): Promise<boolean> {
  const [session] = await call.db
    .select({ createdAt: sessions.createdAt })
    .from(sessions)
    .where(and(eq(sessions.id, await sessionId(call)), isNull(sessions.parentId)))
  return session !== undefined && call.now().getTime() - session.createdAt.getTime() <= freshness
}

async function refuseWrongPassword(call: Acting, user: Account['user'], password: string): Promise<void> {
  if (!(await isOwnPassword(call, user, password)))
    throw invalid([{ path: 'password', message: 'This is not your password.' }])
}

/** Whether it is the person's password. Throws 429 after too many wrong ones. */
export const isOwnPassword = (call: Acting, { id, passwordHash }: Account['user'], password: string) =>
  guessed(call, proving(id), () => isPassword(password.normalize('NFKC'), passwordHash))

/** Uses up a code of the caller. Throws 422 for a wrong one, 429 after five of these. */
async function refuseWrongCode(call: Acting, userId: string, code: string): Promise<void> {
  await takeTry(call.db, userId, call.now())
  if (!(await spendCode(call, userId, code)))
    throw invalid([{ path: 'code', message: 'This code is not right, or was used before.' }])
  await forgetTries(call.db, userId)
}

/** Lets the session that shows a code now count as one that was opened with two factors. Throws as `proven`. */
export async function stepUp(call: Acting, code: string): Promise<void> {
  const userId = personOf(call.actor)
  await refuseWrongCode(call, userId, code)
  await auditedStep(call, async (tx) => {
    audited(tx, { object: 'session', id: call.actor.credential.id, after: { secondFactor: true } })
    await nowShownTwo(tx, call.events, call.actor.credential.id)
  })
}
