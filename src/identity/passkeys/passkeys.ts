import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { personOf } from '../current.ts'
import { passkeys } from '../schema.ts'
import type { Proof } from '../second-factor/contract.ts'
import { tellOfFactor } from '../second-factor/notices.ts'
import { proven } from '../second-factor/proof.ts'
import { keepOneFactor, mayChangeFactors, oneAtATime } from '../second-factor/required.ts'

type Acting = Call<unknown, Actor>

/** The caller's passkeys, oldest first. */
export const listPasskeys = ({ db, actor }: Pick<Acting, 'db' | 'actor'>) =>
  db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, personOf(actor)))
    .orderBy(asc(passkeys.id))

const own = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** Gives one of the caller's passkeys another name. Throws 404. */
export async function renamePasskey({ db, actor }: Acting, { id, name }: { id: string; name: string }) {
  const [row] = await db
    .update(passkeys)
    .set({ name })
    .where(own(personOf(actor), id))
    .returning()
  if (!row) throw notFound('passkey')
  audited(db, { object: 'passkey', id, after: { name } })
  return row
}

/** Takes one of the caller's passkeys away. Throws 404, as `proven`, and 409 for one that must stay. */
export async function removePasskey(call: Acting, id: string, proof: Proof): Promise<void> {
  const userId = personOf(call.actor)
  if ((await call.db.$count(passkeys, own(userId, id))) === 0) throw notFound('passkey')
  await mayChangeFactors(call)
  const user = await proven(call, proof)
  await auditedStep(call, async (tx) => {
    await oneAtATime(tx, userId)
    const [removed] = await tx.delete(passkeys).where(own(userId, id)).returning()
    if (!removed) throw notFound('passkey')
    await keepOneFactor(tx, userId)
    audited(tx, { object: 'passkey', id, before: { name: removed.name } })
    await tellOfFactor(call, tx, user, 'passkeyRemoved')
  })
}
