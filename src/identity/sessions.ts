import { eq, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publishRevocation } from './revocation.ts'
import { sessions } from './schema.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds a session lives without being used, and at most (IDN-03). */
export const idleLifetime = 14 * day
export const maxLifetime = 90 * day

/** How somebody signed in; all but a passkey show one factor. */
export type SignInMethod = (typeof sessions.$inferSelect)['method']

export interface OpenedSession {
  id: string
  userId: string
  organizationId: string | null
  /** The cookie's value: shown here this once. */
  token: string
}

interface SessionInput {
  userId: string
  /** Null is the personal context. */
  organizationId: string | null
  method: SignInMethod
  secondFactor: boolean
  /** The organization in which alone it works. */
  onlyIn?: string
  device: string | null
  address: string | null
  /** The service that a code led to, and the sign-in that the code came from: it ends the session, at the latest when it would. */
  arrival?: { serviceId: string; parentId: string; expiresAt: Date }
}

/** Begins a session of a person in a context. */
export async function openSession(
  db: Database,
  { userId, organizationId, arrival, ...shown }: SessionInput,
  now: Date,
): Promise<OpenedSession> {
  const session = { id: newId(), userId, organizationId, token: randomToken() }
  const expiresAt = arrival?.expiresAt ?? new Date(now.getTime() + maxLifetime)
  await db.insert(sessions).values({
    id: session.id,
    userId,
    organizationId,
    ...shown,
    // What comes from a session goes no further than it.
    ...(arrival && { onlyIn: sql`(SELECT own.only_in FROM ${sessions} AS own WHERE own.id = ${arrival.parentId})` }),
    serviceId: arrival?.serviceId,
    parentId: arrival?.parentId,
    tokenHash: digest(session.token),
    createdAt: now,
    lastUsedAt: now,
    idleExpiresAt: new Date(Math.min(now.getTime() + idleLifetime, expiresAt.getTime())),
    expiresAt,
  })
  return session
}

/** Ends a session on every device and server, and those that came from it: cookies, access tokens, refresh tokens. */
export async function endSession(db: Database, events: Events, id: string): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(or(eq(sessions.id, id), eq(sessions.parentId, id)))
    .returning({ id: sessions.id })
  for (const each of new Set([id, ...ended.map((row) => row.id)])) await publishRevocation(db, events, each)
}

/** Notes that a session has shown a second factor since it was opened, and with it those of the same sign-in. */
export async function markSecondFactorVerified(db: Database, events: Events, id: string): Promise<void> {
  const origin = sql`(SELECT coalesce(own.parent_id, own.id) FROM ${sessions} AS own WHERE own.id = ${id})`
  const same = await db
    .update(sessions)
    .set({ secondFactor: true })
    .where(or(eq(sessions.id, origin), eq(sessions.parentId, origin)))
    .returning({ id: sessions.id })
  for (const each of same) await publishRevocation(db, events, each.id)
}

/** Milliseconds after which it is written that a session was used again. */
const writeIntervalMs = 5 * 60 * 1000

/** Writes that a session is used, which moves its idle end on; at most every five minutes. */
export async function keepAlive(db: Database, id: string, lastUsedAt: Date, now: Date): Promise<void> {
  if (now.getTime() - lastUsedAt.getTime() < writeIntervalMs) return
  const until = new Date(now.getTime() + idleLifetime).toISOString()
  const later = sql`least(${until}::timestamptz, ${sessions.expiresAt})`
  // Whoever is at work in a service goes on being signed in where they came from.
  const origin = sql`(SELECT own.parent_id FROM ${sessions} AS own WHERE own.id = ${id})`
  await db
    .update(sessions)
    .set({ idleExpiresAt: later, lastUsedAt: now })
    .where(or(eq(sessions.id, id), eq(sessions.id, origin)))
}
