import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { findUser } from '../../accounts/accounts.ts'
import { personOf, requireSessionId } from '../../accounts/caller.ts'
import { recoveryCodes, totpAuthenticators } from '../../schema.ts'
import type { Proof } from '../second-factor/contract.ts'
import { notifyOwnersOfFirstFactor } from '../second-factor/first-factor.ts'
import { sendSecurityNotice } from '../../accounts/security-notices.ts'
import { requireReauthentication } from '../second-factor/proof.ts'
import { requireRemainingFactor, requireFactorChangeAllowed, lockFactors } from '../second-factor/required.ts'
import { markSecondFactorVerified } from '../sessions.ts'
import { confirmedAppOf, openSecret } from './codes.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { createEnrollment, generateSecret, findStep } from './secret.ts'

type ActorCall = Call<unknown, Actor>

export const hasTotp = async (db: Database, userId: string): Promise<boolean> =>
  (await db.select({ id: totpAuthenticators.id }).from(totpAuthenticators).where(confirmedAppOf(userId))).length > 0

const confirmWithinMs = 15 * 60_000

/** Takes effect once it is confirmed. @throws as `requireReauthentication`; 409 when there is one already */
export async function beginTotp(call: ActorCall, proof: Proof) {
  const { db, secrets, now } = call
  await requireFactorChangeAllowed(call)
  const user = await requireReauthentication(call, proof)
  const [id, secret] = [newId(), await generateSecret()]
  const sealedSecret = secrets.seal(secret, sealContext(totpAuthenticators.sealedSecret, id))
  const values = { id, sealedSecret, createdAt: now() }
  const [made] = await db
    .insert(totpAuthenticators)
    .values({ ...values, userId: user.id })
    .onConflictDoUpdate({
      target: totpAuthenticators.userId,
      set: values,
      setWhere: isNull(totpAuthenticators.confirmedAt),
    })
    .returning()
  if (!made) throw conflict('totp_exists', 'You already have an authenticator app. Remove it first.')
  return { secret, ...(await createEnrollment(secret, user.email)) }
}

/** Returns recovery codes. @throws 409 when none was started in the last 15 minutes; 422 for a wrong code */
export async function confirmTotp(call: ActorCall, code: string): Promise<string[]> {
  const { now, secrets, actor } = call
  const userId = personOf(actor)
  const session = await requireSessionId(call)
  await requireFactorChangeAllowed(call)
  return auditedTransaction(call, async (tx) => {
    const pending = and(
      eq(totpAuthenticators.userId, userId),
      isNull(totpAuthenticators.confirmedAt),
      gt(totpAuthenticators.createdAt, new Date(now().getTime() - confirmWithinMs)),
    )
    const [row] = await tx.select().from(totpAuthenticators).where(pending).for('update')
    if (!row) throw conflict('totp_not_started', 'There is no authenticator app to confirm. Start again.')
    const lastStep = /^\d{6}$/.test(code) ? await findStep(openSecret(secrets, row), code, now()) : null
    if (lastStep === null)
      throw invalid([{ path: 'code', message: 'Incorrect code. Check that your phone’s clock is right.' }])
    await tx.update(totpAuthenticators).set({ confirmedAt: now(), lastStep }).where(eq(totpAuthenticators.id, row.id))
    recordChange(tx, { object: 'totp', id: row.id, after: { confirmed: true } })
    await markSecondFactorVerified(tx, call.events, session)
    const user = await findUser(tx, userId)
    await sendSecurityNotice(call, tx, user, 'totpAdded')
    await notifyOwnersOfFirstFactor(call, tx, user)
    return replaceRecoveryCodes(tx, userId, now())
  })
}

/** @throws as `requireReauthentication`; 409 when there is none, or an organization requires it */
export async function removeTotp(call: ActorCall, proof: Proof): Promise<void> {
  await requireFactorChangeAllowed(call)
  const user = await requireReauthentication(call, proof)
  await auditedTransaction(call, async (tx) => {
    await lockFactors(tx, user.id)
    const [removed] = await tx.delete(totpAuthenticators).where(confirmedAppOf(user.id)).returning()
    if (!removed) throw noTotp()
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
    await requireRemainingFactor(tx, user.id)
    recordChange(tx, { object: 'totp', id: removed.id, before: { confirmed: true } })
    await sendSecurityNotice(call, tx, user, 'totpRemoved')
  })
}

/** @throws as `requireReauthentication`; 409 without an authenticator app */
export async function regenerateRecoveryCodes(call: ActorCall, proof: Proof): Promise<string[]> {
  const user = await requireReauthentication(call, proof)
  return auditedTransaction(call, async (tx) => {
    if (!(await hasTotp(tx, user.id))) throw noTotp()
    recordChange(tx, { object: 'recovery_codes', id: user.id })
    await sendSecurityNotice(call, tx, user, 'codesRenewed')
    return replaceRecoveryCodes(tx, user.id, call.now())
  })
}

const noTotp = () => conflict('no_totp', 'You have no authenticator app. Set one up first.')
