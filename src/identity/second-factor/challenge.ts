import { and, eq, gt, sql } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest, randomToken } from '#lib/ids.ts'
import { withNext } from '#views/identity/next.tsx'
import type { Account } from '../accounts.ts'
import { usesHttps } from '../credential.ts'
import { localPath } from '../next.ts'
import { signInChallenges } from '../schema.ts'
import type { SignInMethod } from '../sessions.ts'

/** Milliseconds to show the second factor in. */
const lifetime = 10 * 60_000
const cookie = 'second_factor'

type Challenge = typeof signInChallenges.$inferSelect

/** 401 for somebody who owes the second factor: a program gets the challenge, a browser keeps it as a cookie. */
export async function createChallenge(
  call: Call,
  { user, organization }: Account,
  { how: method, next }: { how: Exclude<SignInMethod, 'passkey'>; next?: string },
): Promise<Problem> {
  const token = randomToken()
  const createdAt = call.now()
  const expiresAt = new Date(createdAt.getTime() + lifetime)
  const whose = { userId: user.id, organizationId: organization?.id ?? null, method }
  await call.db.insert(signInChallenges).values({ tokenHash: digest(token), ...whose, createdAt, expiresAt })
  return new Problem(401, 'second_factor_required', 'Send a code of your authenticator app, or a recovery code.', {
    members: { challenge: token, expiresAt },
    next: withNext('/login/second-factor', next && localPath(next)),
    cookies: [{ name: cookie, value: token, maxAge: lifetime / 1000 }],
  })
}

/** Takes the challenge from a browser. */
export const expiredChallengeCookie = { name: cookie, value: '', maxAge: 0 }

/** The challenge that a request answers: the body's, else the cookie's. */
export const challengeOf = ({ request, config }: Call, given?: string): string =>
  given ?? request.cookies.get(cookieName(cookie, usesHttps(config))) ?? ''

/** Whether somebody could still answer it. */
export async function isChallengeOpen(db: Database, token: string, now: Date): Promise<boolean> {
  return (await db.select().from(signInChallenges).where(byToken(token, now))).length > 0
}

/** Counts one more try of a challenge. Throws 401 for one that is over. */
export async function countAttempt(db: Database, token: string, now: Date): Promise<Challenge> {
  const [found] = await db
    .update(signInChallenges)
    .set({ tries: sql`${signInChallenges.tries} + 1` })
    .where(byToken(token, now))
    .returning()
  if (!found) throw challengeExpired()
  return found
}

/** Uses it up. Throws 401 for whoever comes second. */
export async function consumeChallenge(db: Database, token: string, now: Date): Promise<void> {
  if ((await db.delete(signInChallenges).where(byToken(token, now)).returning()).length === 0) throw challengeExpired()
}

/** 401 for a challenge whose time or tries are over. */
export const challengeExpired = () =>
  new Problem(401, 'challenge_over', 'This sign-in took too long, or too many codes. Sign in again.')

const byToken = (token: string, now: Date) =>
  and(eq(signInChallenges.tokenHash, digest(token)), gt(signInChallenges.expiresAt, now))
