import { and, eq, gt, isNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { passkeyChallenges } from '../schema.ts'

/** Milliseconds in which an authenticator answers. */
export const lifetime = 5 * 60_000

/** Keeps what an authenticator was asked to sign; for a person who adds a passkey, or for whoever signs in. */
export async function keepChallenge(db: Database, challenge: string, userId: string | null, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + lifetime)
  await db.insert(passkeyChallenges).values({ hash: digest(challenge), userId, createdAt: now, expiresAt })
}

const ClientData = z.object({ challenge: z.string() })

/** The challenge that an answer is to, used up by it; null when it was never asked of this person, or is over. */
export async function spendChallenge(
  db: Database,
  clientDataJSON: string,
  userId: string | null,
  now: Date,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === null) return null
  const whose = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId)
  const asked = and(eq(passkeyChallenges.hash, digest(challenge)), whose, gt(passkeyChallenges.expiresAt, now))
  return (await db.delete(passkeyChallenges).where(asked).returning()).length > 0 ? challenge : null
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return ClientData.safeParse(data).data?.challenge ?? null
  } catch {
    return null
  }
}

/** Forgets what no authenticator answered. */
export async function forgetPasskeyChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now))
}
