import { and, eq, gt, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { ssoCodes } from '../schema.ts'
import { endSession } from '../sessions.ts'

/** Milliseconds within which a code must be used (IDN-22). */
const codeLifetimeMs = 60_000

export type SsoCode = typeof ssoCodes.$inferSelect

/** What a code is good for: one service, one address, one person in one session and one context. */
export type CodeGrant = Pick<SsoCode, 'serviceId' | 'sessionId' | 'organizationId' | 'redirectUri'> &
  Partial<Pick<SsoCode, 'codeChallenge' | 'scope' | 'nonce'>>

/** Makes a code of 256 random bits, of which only the digest is kept. */
export async function issueCode({ db, actor, now }: Call<unknown, Actor>, promised: CodeGrant) {
  const code = randomToken()
  const createdAt = now()
  const expiresAt = new Date(createdAt.getTime() + codeLifetimeMs)
  await db
    .insert(ssoCodes)
    .values({ ...promised, hash: digest(code), userId: actor.principal.id, createdAt, expiresAt })
  return { code, expiresAt }
}

/** Uses a code up, whatever it is used for: of two that come at once, the second finds it used. Undefined for no code. */
export async function consumeCode(tx: Database, code: string, now: Date): Promise<SsoCode | undefined> {
  const usable = and(eq(ssoCodes.hash, digest(code)), isNull(ssoCodes.usedAt), gt(ssoCodes.expiresAt, now))
  const [spent] = await tx.update(ssoCodes).set({ usedAt: now }).where(usable).returning()
  return spent
}

/** Remembers what a code opened, so that its reuse can end it. */
export async function recordOpenedSession(tx: Database, { hash }: SsoCode, openedSessionId: string): Promise<void> {
  await tx.update(ssoCodes).set({ openedSessionId }).where(eq(ssoCodes.hash, hash))
}

/** Ends what a code that is used again had opened: somebody else may hold it (IDN-23). */
export async function revokeReusedCode(call: Call, code: string): Promise<void> {
  const opened = and(eq(ssoCodes.hash, digest(code)), isNotNull(ssoCodes.openedSessionId))
  const [used] = await call.db.select({ id: ssoCodes.openedSessionId }).from(ssoCodes).where(opened)
  const id = used?.id
  if (!id) return
  await auditedStep(call, async (tx) => {
    audited(tx, { object: 'session', id, refused: true })
    await endSession(tx, call.events, id)
  })
}
