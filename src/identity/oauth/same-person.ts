import { and, eq, gt } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { findUser } from '../accounts/accounts.ts'
import { isBrowser, usesHttps } from '../tokens/credential.ts'
import { refreshTokens, sessions, users } from '../schema.ts'
import type { SsoCode } from './codes.ts'

interface PersonName {
  name: string
  email: string
}

/**
 * Requires consent before a hand-off changes who is signed in: an attacker can send a link with a code of their own
 * (login CSRF). Codes with PKCE were requested by the same tab. @throws 409 with the current and the arriving
 * person
 */
export async function requireSamePerson(
  tx: Database,
  call: Call,
  { codeChallenge, userId }: Pick<SsoCode, 'codeChallenge' | 'userId'>,
  refreshToken: string | undefined,
): Promise<void> {
  if (codeChallenge !== null) return
  const current =
    refreshToken === undefined
      ? await findBrowserPerson(tx, call)
      : await findRefreshTokenPerson(tx, call, refreshToken)
  if (!current || current.id === userId) return
  throw signedInAsAnother(current, await findUser(tx, userId))
}

const person = { id: users.id, name: users.name, email: users.email }

/** Undefined without one, and for programs. */
async function findBrowserPerson(tx: Database, call: Call) {
  const { request, config } = call
  if (!isBrowser(request)) return undefined
  const cookieOf = (name: 'session' | 'refresh') => request.cookies.get(cookieName(name, usesHttps(config)))
  const [session, refreshToken] = [cookieOf('session'), cookieOf('refresh')]
  const current = session ? await findSessionPerson(tx, call, session) : undefined
  return current ?? (refreshToken ? findRefreshTokenPerson(tx, call, refreshToken) : undefined)
}

async function findSessionPerson(tx: Database, { now }: Call, session: string) {
  const [found] = await tx
    .select(person)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.tokenHash, digest(session)), gt(sessions.idleExpiresAt, now())))
  return found
}

async function findRefreshTokenPerson(tx: Database, { now }: Call, refreshToken: string) {
  const [found] = await tx
    .select(person)
    .from(refreshTokens)
    .innerJoin(sessions, eq(sessions.id, refreshTokens.sessionId))
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(refreshTokens.hash, digest(refreshToken)), gt(sessions.idleExpiresAt, now())))
  return found
}

function signedInAsAnother(current: PersonName, arriving: PersonName): Problem {
  const nameOf = ({ name, email }: PersonName): PersonName => ({ name, email })
  return new Problem(
    409,
    'signed_in_as_another_account',
    `This browser is signed in as ${current.email}, but the code is for ${arriving.email}. Retry with "replace": true once the person has agreed.`,
    { members: { current: nameOf(current), arriving: nameOf(arriving) } },
  )
}
