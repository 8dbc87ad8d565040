import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { findUser, type Account } from '../accounts.ts'
import { personOf } from '../current.ts'
import { isPassword } from '../passwords.ts'
import { guessed, proving } from '../sign-in/slowdown.ts'
import { nowShownTwo } from '../sessions.ts'
import { spendCode } from '../totp/codes.ts'
import type { Proof } from './contract.ts'
import { forgetTries, takeTry } from './tries.ts'

type Acting = Call<unknown, Actor>

/**
 * The caller, who shows once more that it is them: a session left open must not be enough. Throws 422 for a wrong or
 * missing proof, 429 after five wrong codes or passwords.
 */
export async function proven(call: Acting, { password, code }: Proof): Promise<Account['user']> {
  const user = await findUser(call.db, personOf(call.actor))
  if (code) await refuseWrongCode(call, user.id, code)
  else if (!(password && (await isOwnPassword(call, user, password))))
    throw invalid([{ path: 'password', message: 'Send your password, or a code of your authenticator app.' }])
  return user
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
