import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { unauthorized } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import { refreshTokens, sessions, users } from '../schema.ts'
import { sendSecurityNotice } from '../accounts/security-notices.ts'
import { endSession, idleLifetime } from '../sign-in/sessions.ts'

/** Within this time a used token returns the same successor again: two tabs can refresh at once. */
const reuseGraceMs = 10_000

/** 256 random bits, of which the digest is stored. */
export async function createRefreshToken(db: Database, sessionId: string, now: Date): Promise<string> {
  const token = randomToken()
  const expiresAt = new Date(now.getTime() + idleLifetime)
  await db.insert(refreshTokens).values({ hash: digest(token), sessionId, createdAt: now, expiresAt })
  return token
}

/** Reuse ends the session: the token may have been stolen. @throws {Problem} 401 */
export async function rotateRefreshToken(
  call: Call,
  token: string,
): Promise<{ sessionId: string; refreshToken: string }> {
  const { db, secrets } = call
  const now = call.now()
  const refreshToken = successorOf(secrets, token)
  const hash = digest(token)
  const rotated = await exchange(db, hash, digest(refreshToken), now)
  if (rotated) return { sessionId: rotated, refreshToken }
  const [used] = await db.select().from(refreshTokens).where(eq(refreshTokens.hash, hash))
  if (!used?.usedAt) throw invalidRefreshToken()
  if (now.getTime() - used.usedAt.getTime() <= reuseGraceMs) return { sessionId: used.sessionId, refreshToken }
  await endReusedSession(call, used.sessionId)
  throw invalidRefreshToken()
}

/** Ends the session and notifies its person. A second reuse finds the session ended and sends nothing. */
const endReusedSession = (call: Call, id: string): Promise<void> =>
  auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'session', id, refused: true })
    const [user] = await tx
      .select({ id: users.id, email: users.email })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(sessions.id, id))
      .for('update')
    if (user) await sendSecurityNotice(call, tx, user, 'tokenReused')
    await endSession(tx, call.events, id)
  })

/** Derived instead of stored: the same token has the same successor. */
const successorOf = (secrets: Secrets, token: string): string =>
  createHmac('sha256', secrets.derive('identity.refresh-tokens')).update(token).digest('base64url')

const invalidRefreshToken = () =>
  unauthorized('This refresh token is invalid or has expired. Sign in again.', 'invalid_refresh_token')

const Rotated = z.object({ session_id: z.string() })

/** Of two concurrent calls, the second finds the token used. Also extends the sign-in that opened the session. */
async function exchange(db: Database, hash: string, next: string, now: Date): Promise<string | undefined> {
  const at = sql`${now.toISOString()}::timestamptz`
  const idle = sql`${new Date(now.getTime() + idleLifetime).toISOString()}::timestamptz`
  const [row] = await db.execute(sql`
    WITH used AS (
      UPDATE ${refreshTokens} AS token SET used_at = ${at} FROM ${sessions} AS session
      WHERE token.hash = ${hash} AND token.used_at IS NULL AND token.expires_at > ${at}
        AND session.id = token.session_id AND session.expires_at > ${at}
      RETURNING session.id, session.parent_id, session.expires_at
    ), kept AS (
      UPDATE ${sessions} AS session SET idle_expires_at = least(${idle}, session.expires_at), last_used_at = ${at}
      FROM used WHERE session.id = ANY(ARRAY[used.id, used.parent_id])
    )
    INSERT INTO ${refreshTokens} (hash, session_id, created_at, expires_at)
    SELECT ${next}, used.id, ${at}, least(${idle}, used.expires_at) FROM used
    RETURNING session_id`)
  return row && Rotated.parse(row).session_id
}
