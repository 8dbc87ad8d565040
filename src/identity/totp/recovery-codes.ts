import { and, count, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { recoveryCodes } from '../schema.ts'

/** Letters and digits that are not mistaken for each other: 32, so that each is worth five bits. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'
const codesPerSet = 10

/** 80 random bits as `xxxx-xxxx-xxxx-xxxx`. */
function generateCode(): string {
  const letters = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => alphabet[byte % alphabet.length])
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Ten new codes of a person, in the clear here and never again; earlier ones are worth nothing then. */
export async function replaceRecoveryCodes(db: Database, userId: string, createdAt: Date): Promise<string[]> {
  const codes = Array.from({ length: codesPerSet }, generateCode)
  await db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await db
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ userId, hash: digest(code.replaceAll('-', '')), createdAt })))
  return codes
}

/** Whether it was a code of the person's, without its hyphens, which is worth nothing from now on. */
export async function consumeRecoveryCode(db: Database, userId: string, code: string): Promise<boolean> {
  const own = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, digest(code)))
  return (await db.delete(recoveryCodes).where(own).returning()).length > 0
}

/** How many codes a person has left. */
export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const [row] = await db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  return row?.left ?? 0
}
