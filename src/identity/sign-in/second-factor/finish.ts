import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { reply } from '#lib/reply.ts'
import { findUser, type Account } from '../../accounts/accounts.ts'
import { organizationsOf } from '../../organizations/organizations.ts'
import { findKnownDevice } from '../devices/known-devices.ts'
import { openSessionFor } from '../sign-in.ts'
import { consumeCode } from '../totp/codes.ts'
import { challengeOf, challengeExpired, consumeChallenge, countAttempt, expiredChallengeCookie } from './challenge.ts'
import type { SecondFactor } from './contract.ts'
import { sendSecurityNotice } from '../../accounts/security-notices.ts'
import { resetAttempts, maxAttempts, takeAttempt } from './attempts.ts'

/** @throws 401 for an expired challenge or a wrong code; 429 after five wrong codes */
export async function finishSignIn(call: Call, input: SecondFactor) {
  const token = challengeOf(call, input.challenge)
  const { userId, organizationId, method, tries } = await countAttempt(call.db, token, call.now())
  const account = await accountIn(call, userId, organizationId)
  const subject = { userId, device: await findKnownDevice(call, account.user.email.toLowerCase()) }
  await takeAttempt(call.db, subject, call.now())
  if (tries > maxAttempts) throw challengeExpired()
  const answer = await openSessionFor(call, 200, account, {
    how: method,
    next: input.next,
    secondFactor: true,
    first: async (tx) => {
      const used = await consumeCode({ ...call, db: tx }, userId, input.code)
      if (!used) throw wrongCode()
      await consumeChallenge(tx, token, call.now())
      await resetAttempts(tx, subject)
      if (used === 'recovery') await sendSecurityNotice(call, tx, account.user, 'codeUsed')
    },
  }).catch(async (error: unknown) => {
    if (error instanceof Problem) await recordRefusal(call, userId)
    throw error
  })
  const { status, data, options } = answer
  return reply(status, data, { ...options, cookies: [...(options.cookies ?? []), expiredChallengeCookie] })
}

const recordRefusal = (call: Call, id: string): Promise<void> =>
  auditedTransaction(call, async (tx) => recordChange(tx, { object: 'user', id, refused: true }))

/** The personal context, if the person has left the organization since. */
async function accountIn({ db }: Call, userId: string, organizationId: string | null): Promise<Account> {
  const [user, organizations] = await Promise.all([findUser(db, userId), organizationsOf(db, userId)])
  return { user, organization: organizations.find(({ id }) => id === organizationId) ?? null }
}

const wrongCode = () =>
  new Problem(401, 'wrong_code', 'Incorrect or already used code. Enter the code that your app shows now.', {
    errors: [{ path: 'code', message: 'Incorrect or already used code. Enter the one that your app shows now.' }],
  })
