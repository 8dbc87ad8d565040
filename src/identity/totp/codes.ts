import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { sealContext } from '#lib/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import { totpAuthenticators } from '../schema.ts'
import { spendRecoveryCode } from './recovery-codes.ts'
import { stepOf } from './secret.ts'

type Authenticator = typeof totpAuthenticators.$inferSelect

/** A code as it was given: six digits of an authenticator app, else a recovery code. */
export type SpentCode = 'totp' | 'recovery'

/** Uses up a code of a person; null when it is none of theirs, or was used before. */
export async function spendCode(
  { db, secrets, now }: Pick<Call, 'db' | 'secrets' | 'now'>,
  userId: string,
  code: string,
): Promise<SpentCode | null> {
  if (!/^\d{6}$/.test(code)) return (await spendRecoveryCode(db, userId, code)) ? 'recovery' : null
  const [known] = await db.select().from(totpAuthenticators).where(ofPerson(userId))
  const lastStep = known ? await stepOf(secretOf(secrets, known), code, now()) : null
  if (lastStep === null) return null
  const isLater = or(isNull(totpAuthenticators.lastStep), lt(totpAuthenticators.lastStep, lastStep))
  const taken = await db
    .update(totpAuthenticators)
    .set({ lastStep })
    .where(and(ofPerson(userId), isLater))
    .returning({ id: totpAuthenticators.id })
  return taken.length > 0 ? 'totp' : null
}

/** The authenticator app of a person, once it counts. */
export const ofPerson = (userId: string) =>
  and(eq(totpAuthenticators.userId, userId), isNotNull(totpAuthenticators.confirmedAt))

/** An authenticator's secret in the clear. */
export const secretOf = (secrets: Secrets, { id, sealedSecret }: Authenticator): string =>
  secrets.open(sealedSecret, sealContext(totpAuthenticators.sealedSecret, id))
