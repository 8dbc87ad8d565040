import { and, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import { dayInWords } from '#lib/time.ts'
import { usesHttps } from '../credential.ts'
import { accountDeletions, users } from '../schema.ts'

/** Milliseconds after signing in within which a deletion can be cancelled. */
const lifetimeMs = 30 * 60_000
const cookie = 'deletion'

/** Where a browser cancels the deletion of its person's account. */
export const accountDeletionPath = '/login/deletion'

/** An account that waits for its deletion, with what cancels that. */
export interface PendingDeletion {
  deletesAt: Date
  /** Null for a sign-in by an organization's own provider: the account isn't that organization's to keep. */
  cancellation: { token: string; expiresAt: Date } | null
}

/**
 * The deletion that an account waits for; null without one. The account's row is held, so that no session is opened
 * while a deletion is being requested.
 */
export async function findPendingDeletion(
  tx: Database,
  userId: string,
  now: Date,
  mayCancel = true,
): Promise<PendingDeletion | null> {
  await tx.execute(sql`SELECT 1 FROM ${users} WHERE id = ${userId} FOR KEY SHARE`)
  if (mayCancel) return createCancellation(tx, userId, now)
  const [row] = await tx.select().from(accountDeletions).where(eq(accountDeletions.userId, userId))
  return row ? { deletesAt: row.deletesAt, cancellation: null } : null
}

/** A new token that cancels the deletion of an account; an earlier one ends. Null without a deletion. */
export async function createCancellation(tx: Database, userId: string, now: Date): Promise<PendingDeletion | null> {
  const token = randomToken()
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const [row] = await tx
    .update(accountDeletions)
    .set({ cancelTokenHash: digest(token), cancelExpiresAt: expiresAt })
    .where(eq(accountDeletions.userId, userId))
    .returning()
  return row ? { deletesAt: row.deletesAt, cancellation: { token, expiresAt } } : null
}

/** The cookie by which a browser cancels a deletion. */
export const cancellationCookies = ({ cancellation }: PendingDeletion): Cookie[] =>
  cancellation ? [{ name: cookie, value: cancellation.token, maxAge: lifetimeMs / 1000 }] : []

/** Takes it from a browser. */
export const clearedCancellationCookie: Cookie = { name: cookie, value: '', maxAge: 0 }

/** What a request cancels a deletion with: the body's token, else the cookie's. */
export const cancellationTokenOf = ({ request, config }: Call, given?: string): string =>
  given ?? request.cookies.get(cookieName(cookie, usesHttps(config))) ?? ''

/** The deletion that a token cancels; undefined for one that was used, replaced or has expired. */
export async function findDeletionByToken(db: Database, token: string, now: Date) {
  const [row] = await db
    .select({ userId: accountDeletions.userId, deletesAt: accountDeletions.deletesAt, email: users.email })
    .from(accountDeletions)
    .innerJoin(users, eq(users.id, accountDeletions.userId))
    .where(and(eq(accountDeletions.cancelTokenHash, digest(token)), gt(accountDeletions.cancelExpiresAt, now)))
  return row
}

/** 403 for a sign-in to an account that waits for its deletion, with the way to keep it. */
export const deletionPendingProblem = (pending: PendingDeletion): Problem =>
  new Problem(
    403,
    'account_deletion_pending',
    `This account will be deleted on ${dayInWords(pending.deletesAt)}. Cancel the deletion to sign in.`,
    {
      members: {
        deletesAt: pending.deletesAt,
        ...(pending.cancellation && { cancellation: pending.cancellation.token }),
      },
      cookies: cancellationCookies(pending),
      next: accountDeletionPath,
    },
  )
