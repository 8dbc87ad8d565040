import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Events } from '#lib/events.ts'
import { publishRevocation } from '../../tokens/revocation.ts'
import { sessions, upstreamIdentities, type organizationDomains } from '../../schema.ts'

export async function endDomainSessions(
  tx: Database,
  events: Events,
  { organizationId, domain }: Pick<typeof organizationDomains.$inferSelect, 'organizationId' | 'domain'>,
): Promise<void> {
  const people = tx
    .select({ id: upstreamIdentities.userId })
    .from(upstreamIdentities)
    .where(and(eq(upstreamIdentities.provider, organizationId), eq(upstreamIdentities.domain, domain)))
  await tx.delete(sessions).where(and(eq(sessions.onlyIn, organizationId), inArray(sessions.userId, people)))
  await publishRevocation(tx, events, organizationId)
}
