import { and, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { magicLoginTokens, users } from '../../schema.ts'

const minute = 60_000
/** How long a link is valid that the person is waiting for (ASVS 6.5.5: 10 min). */
export const shortLifetimeMs = 10 * minute

export interface LinkInput {
  user: { id: string; email: string }
  organizationId: string | null
  redirectUri: string | null
  skipInterstitial: boolean
  /** Milliseconds until the link expires. */
  life: number
}

/** 256 random bits, of which the digest is stored. */
export async function issueLink(db: Database, { user, life, ...fields }: LinkInput, createdAt: Date) {
  const token = randomToken()
  const expiresAt = new Date(createdAt.getTime() + life)
  const owner = { userId: user.id, email: user.email.toLowerCase() }
  await db
    .insert(magicLoginTokens)
    .values({ id: newId(), tokenHash: digest(token), ...owner, ...fields, createdAt, expiresAt })
  return { path: `/magic-link/consume?token=${token}`, expiresAt }
}

/** Undefined for a link that was used or has expired. */
export async function findLink(db: Database, token: string, now: Date) {
  const [found] = await db.select().from(magicLoginTokens).where(isUsable(token, now))
  return found
}

export async function markOpened(db: Database, token: string, now: Date): Promise<void> {
  const fresh = and(isUsable(token, now), isNull(magicLoginTokens.firstOpenedAt))
  await db.update(magicLoginTokens).set({ firstOpenedAt: now }).where(fresh)
}

/** Of two concurrent calls, the second finds nothing. */
export async function consumeLink(db: Database, token: string, now: Date) {
  const [spent] = await db.delete(magicLoginTokens).where(isUsable(token, now)).returning()
  return spent
}

export async function countMailedSince(db: Database, userId: string, since: Date): Promise<number> {
  const mailed = and(
    eq(magicLoginTokens.userId, userId),
    eq(magicLoginTokens.skipInterstitial, false),
    gt(magicLoginTokens.createdAt, since),
  )
  const [row] = await db.select({ links: count() }).from(magicLoginTokens).where(mailed)
  return row?.links ?? 0
}

/** A link expires with its time, and when the person changes the email address that it was created for. */
const isUsable = (token: string, now: Date) =>
  and(
    eq(magicLoginTokens.tokenHash, digest(token)),
    gt(magicLoginTokens.expiresAt, now),
    sql`EXISTS (SELECT FROM ${users} AS known
      WHERE known.id = ${magicLoginTokens.userId} AND lower(known.email) = ${magicLoginTokens.email})`,
  )
