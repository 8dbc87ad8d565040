import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { ssoCodes } from '../schema.ts'
import { endSession } from '../sign-in/sessions.ts'

/** Codes must be used quickly (IDN-22). */
const codeLifetimeMs = 60_000

export type SsoCode = typeof ssoCodes.$inferSelect

export type CodeGrant = Pick<SsoCode, 'serviceId' | 'sessionId' | 'organizationId' | 'redirectUri'> &
  Partial<Pick<SsoCode, 'codeChallenge' | 'scope' | 'nonce'>>

/** 256 random bits, stored as a digest. */
export async function issueCode({ db, actor, now }: Call<unknown, Actor>, grant: CodeGrant) {
  const code = randomToken()
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + codeLifetimeMs)
  await db.insert(ssoCodes).values({ ...grant, hash: digest(code), userId: actor.principal.id, createdAt, expiresAt })
  return { code, expiresAt }
}

/** Marks a code as used; undefined for an invalid one, and for the second of two concurrent requests. */
export async function consumeCode(tx: Database, code: string, now: Date): Promise<SsoCode | undefined> {
  const usable = and(eq(ssoCodes.hash, digest(code)), isNull(ssoCodes.usedAt), gt(ssoCodes.expiresAt, now))
  const [used] = await tx.update(ssoCodes).set({ usedAt: now }).where(usable).returning()
  return used
}

/** Records the opened session, so that a reuse of the code can end it. */
export async function recordOpenedSession(tx: Database, { hash }: SsoCode, openedSessionId: string): Promise<void> {
  await tx.update(ssoCodes).set({ openedSessionId }).where(eq(ssoCodes.hash, hash))
}

/** Ends the session that a reused code opened: another person may hold it (IDN-23). */
export async function revokeReusedCode(call: Call, code: string): Promise<void> {
  const opened = and(eq(ssoCodes.hash, digest(code)), isNotNull(ssoCodes.openedSessionId))
  const [used] = await call.db.select({ id: ssoCodes.openedSessionId }).from(ssoCodes).where(opened)
  const id = used?.id
  if (!id) return
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'session', id, refused: true })
    await endSession(tx, call.events, id)
  })
}
