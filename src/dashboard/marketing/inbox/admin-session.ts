import { and, eq, gt } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { cookieName } from '#lib/cookies.ts'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import type { Cookie } from '#lib/reply.ts'
import { adminSessions } from '../../schema.ts'

const name = 'admin_session'
const lifetimeMs = 15 * 60_000

type SessionCall = Pick<Call<unknown, Actor>, 'actor' | 'now'>

export async function openAdminSession(
  tx: Database,
  { actor, now }: SessionCall,
): Promise<{ expiresAt: Date; cookie: Cookie }> {
  const [createdAt, value] = [now(), randomToken()]
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
  const owner = { personId: actor.principal.id, credentialId: actor.credential.id }
  await tx.insert(adminSessions).values({ id: newId(), ...owner, tokenHash: digest(value), createdAt, expiresAt })
  return { expiresAt, cookie: { name, value, maxAge: lifetimeMs / 1000 } }
}

/** Those of this sign-in, also where their cookie was copied to. Returns the cookie that replaces it. */
export async function endAdminSessions(tx: Database, { actor }: Pick<SessionCall, 'actor'>): Promise<Cookie> {
  await tx.delete(adminSessions).where(eq(adminSessions.credentialId, actor.credential.id))
  return { name, value: '', maxAge: 0 }
}

/** When the admin session of this sign-in ends; null without one. */
export async function findAdminSession({
  actor,
  now,
  db,
  request,
}: SessionCall & Pick<Call, 'request' | 'db'>): Promise<Date | null> {
  const value = request.cookies.get(cookieName(name, true)) ?? request.cookies.get(name) ?? ''
  const isThis = and(
    eq(adminSessions.tokenHash, digest(value)),
    eq(adminSessions.credentialId, actor.credential.id),
    gt(adminSessions.expiresAt, now()),
  )
  const [session] = await db.select({ expiresAt: adminSessions.expiresAt }).from(adminSessions).where(isThis)
  return session?.expiresAt ?? null
}

/** @throws {Problem} 403 without an admin session of the same sign-in */
export async function requireAdminSession(call: Parameters<typeof findAdminSession>[0]): Promise<void> {
  if (await findAdminSession(call)) return
  throw new Problem(
    403,
    'admin_session_required',
    'Confirm that it’s you first: POST /api/admin/session with a code from your authenticator app.',
  )
}
