import { and, count, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { recoveryCodes } from '../../schema.ts'

/** Letters and digits that are not easily confused: 32, so each has five bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const codesPerSet = 10

/** 80 random bits as `xxxx-xxxx-xxxx-xxxx`. */
function generateCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Only digests are stored. */
export async function replaceRecoveryCodes(db: Database, userId: string, createdAt: Date): Promise<string[]> {
  const codes = Array.from({ length: codesPerSet }, generateCode)
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: digest(code.replaceAll('-', '')), createdAt })))
  return codes
}

/** Given without hyphens; false for a wrong one. */
export async function consumeRecoveryCode(db: Database, userId: string, code: string): Promise<boolean> {
  const own = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, digest(code)))
  return (await db.delete(recoveryCodes).where(own).returning()).length > 0
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return row?.left ?? 0
}
