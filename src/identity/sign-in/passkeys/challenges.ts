import { and, eq, gt, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { passkeyChallenges } from '../../schema.ts'

export const lifetimeMs = 5 * 60_000

export type ChallengePurpose = { purpose: 'sign_in'; userId: null } | { purpose: 'add' | 'prove'; userId: string }

export async function storeChallenge(
  db: Database,
  challenge: string,
  { userId, purpose }: ChallengePurpose,
  now: Date,
): Promise<void> {
  const [hash, expiresAt] = [digest(challenge), new Date(now.getTime() + lifetimeMs)]
  await db
    .insert(passkeyChallenges)
    .values({ hash, userId, provesOnly: purpose === 'prove', createdAt: now, expiresAt })
}

const ClientData = z.object({ challenge: z.string() })

/** Null when it has expired or was issued to another person. */
export async function consumeChallenge(
  db: Database,
  clientDataJSON: string,
  { userId, purpose }: ChallengePurpose,
  now: Date,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === null) return null
  const whose = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId)
  const isPurpose = eq(passkeyChallenges.provesOnly, purpose === 'prove')
  const isIssued = and(
    eq(passkeyChallenges.hash, digest(challenge)),
    whose,
    isPurpose,
    gt(passkeyChallenges.expiresAt, now),
  )
  return (await db.delete(passkeyChallenges).where(isIssued).returning()).length > 0 ? challenge : null
}

function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())
    return ClientData.safeParse(data).data?.challenge ?? null
  } catch {
    return null
  }
}
