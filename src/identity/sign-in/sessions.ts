import { eq, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { sessions } from '../schema.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds that a session lasts without use, and at most (IDN-03). */
export const idleLifetime = 14 * day
export const maxLifetime = 90 * day

/** All methods except a passkey prove one factor only. */
export type SignInMethod = (typeof sessions.$inferSelect)['method']

export interface OpenedSession {
  id: string
  userId: string
  organizationId: string | null
  /** The cookie's value, which is not stored. */
  token: string
}

interface SessionInput {
  userId: string
  /** Null for the personal context. */
  organizationId: string | null
  method: SignInMethod
  secondFactor: boolean
  /** The only organization in which the session works. */
  onlyIn?: string
  device: string | null
  address: string | null
  /** The service that the session is for, and the sign-in that it ends with. */
  arrival?: { serviceId: string; parentId: string; expiresAt: Date }
}

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
    // A session opened by another one has the same limit.
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

/** Ends a session and those opened by it on every server, with their access and refresh tokens. */
export async function endSession(db: Database, events: Events, id: string): Promise<void> {
  const ended = await db
    .delete(sessions)
    .where(or(eq(sessions.id, id), eq(sessions.parentId, id)))
    .returning({ id: sessions.id })
  for (const each of new Set([id, ...ended.map((row) => row.id)])) await publishRevocation(db, events, each)
}

/** Also in all sessions of the same sign-in. */
export async function markSecondFactorVerified(db: Database, events: Events, id: string): Promise<void> {
  const origin = sql`(SELECT coalesce(own.parent_id, own.id) FROM ${sessions} AS own WHERE own.id = ${id})`
  const same = await db
    .update(sessions)
    .set({ secondFactor: true })
    .where(or(eq(sessions.id, origin), eq(sessions.parentId, origin)))
    .returning({ id: sessions.id })
  for (const each of same) await publishRevocation(db, events, each.id)
}

const writeIntervalMs = 5 * 60 * 1000

/** Written at most every five minutes. */
export async function keepAlive(db: Database, id: string, lastUsedAt: Date, now: Date): Promise<void> {
  if (now.getTime() - lastUsedAt.getTime() < writeIntervalMs) return
  const until = new Date(now.getTime() + idleLifetime).toISOString()
  const later = sql`least(${until}::timestamptz, ${sessions.expiresAt})`
  // Using a service also extends the sign-in that opened its session.
  const origin = sql`(SELECT own.parent_id FROM ${sessions} AS own WHERE own.id = ${id})`
  await db
    .update(sessions)
    .set({ idleExpiresAt: later, lastUsedAt: now })
    .where(or(eq(sessions.id, id), eq(sessions.id, origin)))
}
