import { and, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import { dayInWords } from '#lib/time.ts'
import { usesHttps } from '../tokens/credential.ts'
import { accountDeletions, users } from '../schema.ts'
import { accountDeletionPath } from './contract.ts'

/** How long after signing in a deletion can be canceled. */
const lifetimeMs = 30 * 60_000
const cookie = 'deletion'

export interface PendingDeletion {
  deletesAt: Date
  /** Null for a sign-in with an organization's SSO: only the person's own sign-in can keep the account. */
  cancellation: { token: string; expiresAt: Date } | null
}

/** Null without one. Locks the account's row, so that no session is opened while a deletion is being requested. */
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

/** It replaces an earlier token. Null without a deletion. */
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

export const cancellationCookies = ({ cancellation }: PendingDeletion): Cookie[] =>
  cancellation ? [{ name: cookie, value: cancellation.token, maxAge: lifetimeMs / 1000 }] : []

export const clearedCancellationCookie: Cookie = { name: cookie, value: '', maxAge: 0 }

/** Of the body, else of the cookie. */
export const cancellationTokenOf = ({ request, config }: Call, given?: string): string =>
  given ?? request.cookies.get(cookieName(cookie, usesHttps(config))) ?? ''

/** Undefined for a token that was used, replaced or has expired. */
export async function findDeletionByToken(db: Database, token: string, now: Date) {
  const [row] = await db
    .select({ userId: accountDeletions.userId, deletesAt: accountDeletions.deletesAt, email: users.email })
    .from(accountDeletions)
    .innerJoin(users, eq(users.id, accountDeletions.userId))
    .where(and(eq(accountDeletions.cancelTokenHash, digest(token)), gt(accountDeletions.cancelExpiresAt, now)))
  return row
}

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
