import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { personOf } from '../../accounts/caller.ts'
import { passkeys } from '../../schema.ts'
import type { Proof } from '../second-factor/contract.ts'
import { sendSecurityNotice } from '../../accounts/security-notices.ts'
import { requireReauthentication } from '../second-factor/proof.ts'
import { requireRemainingFactor, requireFactorChangeAllowed, lockFactors } from '../second-factor/required.ts'

type ActorCall = Call<unknown, Actor>

/** Oldest first. */
export const listPasskeys = ({ db, actor }: Pick<ActorCall, 'db' | 'actor'>) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, personOf(actor)))
    .orderBy(asc(passkeys.id))

const own = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** @throws 404 */
export async function renamePasskey({ db, actor }: ActorCall, { id, name }: { id: string; name: string }) {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(own(personOf(actor), id))
    .returning()
  if (!row) throw notFound('passkey')
  recordChange(db, { object: 'passkey', id })
  return row
}

/** @throws 404; 409 for a last second factor that the organization requires; as `requireReauthentication` */
export async function removePasskey(call: ActorCall, id: string, proof: Proof): Promise<void> {
  const userId = personOf(call.actor)
  if ((await call.db.$count(passkeys, own(userId, id))) === 0) throw notFound('passkey')
  await requireFactorChangeAllowed(call)
  const user = await requireReauthentication(call, proof)
  await auditedTransaction(call, async (tx) => {
    await lockFactors(tx, userId)
    const [removed] = await tx.delete(passkeys).where(own(userId, id)).returning()
    if (!removed) throw notFound('passkey')
    await requireRemainingFactor(tx, userId)
    recordChange(tx, { object: 'passkey', id })
    await sendSecurityNotice(call, tx, user, 'passkeyRemoved')
  })
}
