import { and, eq, isNotNull } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { recoveryEmails } from '../../schema.ts'

export async function findVerifiedRecovery(db: Database, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ email: recoveryEmails.email })
    .from(recoveryEmails)
    .where(and(eq(recoveryEmails.userId, userId), isNotNull(recoveryEmails.verifiedAt)))
  return row?.email
}
