import { and, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { withNext } from '#views/identity/sign-in/next.tsx'
import type { Account } from '../../accounts/accounts.ts'
import { localPath } from '../../http/responses.ts'
import { usesHttps } from '../../tokens/credential.ts'
import { passkeys, signInChallenges, users } from '../../schema.ts'
import type { SignInMethod } from '../sessions.ts'

const lifetimeMs = 10 * 60_000
const cookieBase = 'second_factor'

type Challenge = typeof signInChallenges.$inferSelect

/** Programs get the challenge in it, browsers as a cookie. */
export async function createChallenge(
  call: Call,
  { user, organization }: Account,
  { how: method, next }: { how: Exclude<SignInMethod, 'passkey'>; next?: string },
): Promise<Problem> {
  const token = randomToken()
  const createdAt = call.now()
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
  const whose = { userId: user.id, organizationId: organization?.id ?? null, method }
  await call.db.insert(signInChallenges).values({ tokenHash: digest(token), ...whose, createdAt, expiresAt })
  return new Problem(401, 'second_factor_required', 'Enter a code from your authenticator app, or a recovery code.', {
    members: { challenge: token, expiresAt },
    next: withNext('/login/second-factor', next && localPath(next)),
    cookies: [{ name: cookieBase, value: token, maxAge: lifetimeMs / 1000 }],
  })
}

export const expiredChallengeCookie = { name: cookieBase, value: '', maxAge: 0 }

/** From its body, else from its cookie. */
export const challengeOf = ({ request, config }: Call, given?: string): string =>
  given ?? request.cookies.get(cookieName(cookieBase, usesHttps(config))) ?? ''

/** Undefined for one that is unknown, expired or used up. */
export async function findChallenge(db: Database, token: string, now: Date) {
  const [found] = await db
    .select({
      expiresAt: signInChallenges.expiresAt,
      email: users.email,
      passkey: sql<boolean>`EXISTS (SELECT FROM ${passkeys} WHERE ${passkeys.userId} = ${users.id})`,
    })
    .from(signInChallenges)
    .innerJoin(users, eq(users.id, signInChallenges.userId))
    .where(byToken(token, now))
  return found
}

/** @throws 401 for an expired challenge */
export async function countAttempt(db: Database, token: string, now: Date): Promise<Challenge> {
  const [found] = await db
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(byToken(token, now))
    .returning()
  if (!found) throw challengeExpired()
  return found
}

/** It works once. @throws 401 for the second of two requests */
export async function consumeChallenge(db: Database, token: string, now: Date): Promise<void> {
  if ((await db.delete(signInChallenges).where(byToken(token, now)).returning()).length === 0) throw challengeExpired()
}

export const challengeExpired = () => new Problem(401, 'challenge_expired', 'Your sign-in expired. Sign in again.')

const byToken = (token: string, now: Date) =>
  and(eq(signInChallenges.tokenHash, digest(token)), gt(signInChallenges.expiresAt, now))
