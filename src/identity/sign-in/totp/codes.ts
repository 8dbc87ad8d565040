import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import type { Secrets } from '#lib/secrets.ts'
import { totpAuthenticators } from '../../schema.ts'
import { consumeRecoveryCode } from './recovery-codes.ts'
import { findStep } from './secret.ts'

type Authenticator = typeof totpAuthenticators.$inferSelect

/** The kind of a code: six digits of an authenticator app, else a recovery code. */
export type ConsumedCode = 'totp' | 'recovery'

/** Null for a wrong or already used one. */
export async function consumeCode(
  { db, secrets, now }: Pick<Call, 'db' | 'secrets' | 'now'>,
  userId: string,
  code: string,
): Promise<ConsumedCode | null> {
  if (!/^\d{6}$/.test(code)) return (await consumeRecoveryCode(db, userId, code)) ? 'recovery' : null
  const [known] = await db.select().from(totpAuthenticators).where(confirmedAppOf(userId))
  const lastStep = known ? await findStep(openSecret(secrets, known), code, now()) : null
  if (lastStep === null) return null
  const isLater = or(isNull(totpAuthenticators.lastStep), lt(totpAuthenticators.lastStep, lastStep))
  const taken = await db
    .update(totpAuthenticators)
    .set({ lastStep })
    .where(and(confirmedAppOf(userId), isLater))
    .returning({ id: totpAuthenticators.id })
  return taken.length > 0 ? 'totp' : null
}

export const confirmedAppOf = (userId: string) =>
  and(eq(totpAuthenticators.userId, userId), isNotNull(totpAuthenticators.confirmedAt))

export const openSecret = (secrets: Secrets, { id, sealedSecret }: Authenticator): string =>
  secrets.open(sealedSecret, sealContext(totpAuthenticators.sealedSecret, id))
