import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { magicLoginTokens, passwordResets } from './schema.ts'

/** Ends the links that somebody was mailed and that open their account: to sign in, and to choose a password. */
export async function deleteMailedLinks(tx: Database, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
  await tx.delete(magicLoginTokens).where(eq(magicLoginTokens.userId, userId))
}
