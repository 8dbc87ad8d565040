import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { magicLoginTokens, passwordResets } from '../schema.ts'

/** Those that open the account: sign-in links and password resets. */
export async function deleteMailedLinks(tx: Database, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
  await tx.delete(magicLoginTokens).where(eq(magicLoginTokens.userId, userId))
}
