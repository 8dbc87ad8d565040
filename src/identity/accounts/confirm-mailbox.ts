import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { organizationDomains, organizations, sessions, upstreamIdentities, users } from '../schema.ts'

interface ConfirmationContext {
  events: Events
  now: () => Date
}

/**
 * The first time, it removes identities that single sign-on created for the address without a verified domain. Returns
 * whether it is the first time.
 */
export async function confirmMailbox(
  tx: Database,
  { events, now }: ConfirmationContext,
  userId: string,
): Promise<boolean> {
  const first = await tx
    .update(users)
    .set({ emailVerifiedAt: now() })
    .where(and(eq(users.id, userId), isNull(users.emailVerifiedAt)))
    .returning({ id: users.id })
  if (first.length === 0) return false
  await removeUnverifiedIdentities(tx, events, userId)
  return true
}

/** Except those of a domain that the organization has verified. Ends the sessions that they opened. */
export async function removeUnverifiedIdentities(tx: Database, events: Events, userId: string): Promise<void> {
  const domain = sql`coalesce(${upstreamIdentities.domain},
    (SELECT lower(substring(own.email FROM '[^@]+$')) FROM ${users} AS own WHERE own.id = ${userId}))`
  const ended = await tx
    .delete(upstreamIdentities)
    .where(
      and(
        eq(upstreamIdentities.userId, userId),
        sql`EXISTS (SELECT FROM ${organizations} WHERE ${organizations.id}::text = ${upstreamIdentities.provider})`,
        sql`NOT EXISTS (SELECT FROM ${organizationDomains}
          WHERE ${organizationDomains.organizationId}::text = ${upstreamIdentities.provider}
            AND ${organizationDomains.domain} = ${domain} AND ${organizationDomains.verifiedAt} IS NOT NULL)`,
      ),
    )
    .returning({ organizationId: upstreamIdentities.provider })
  if (ended.length === 0) return
  for (const { organizationId } of ended)
    await tx.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.onlyIn, organizationId)))
  await publishRevocation(tx, events, userId)
}
