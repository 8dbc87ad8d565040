import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { magicLoginTokens, passwordResets } from '../schema.ts'

/** Deletes the mailed links that open a person's account: sign-in links and password resets. */
export async function deleteMailedLinks(tx: Database, userId: string): Promise<void> {
  await tx.delete(passwordResets).where(eq(passwordResets.userId, userId))
  await tx.delete(magicLoginTokens).where(eq(magicLoginTokens.userId, userId))
}
