import { eq } from 'drizzle-orm'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import type { Events } from '#lib/events.ts'
import { organizationDomains } from '../../schema.ts'
import type { DomainFailure } from './challenge.ts'
import { domainTakenProblem, graceMs, type DomainRow } from './domains.ts'
import { endDomainSessions } from './end-sessions.ts'

interface Outcome {
  id: string
  /** Null when the record is there. */
  failure: DomainFailure | null
  now: Date
}

/** @throws {Problem} 404 when the domain was deleted in the meantime, 409 when another organization has verified it */
export async function storeOutcome(tx: Database, events: Events, { id, failure, now }: Outcome) {
  const own = eq(organizationDomains.id, id)
  const [before] = await tx.select().from(organizationDomains).where(own).for('update')
  if (!before) throw notFound('domain')
  const [after] = await tx
    .update(organizationDomains)
    .set({ checkedAt: now, failure, ...consequences(before, failure, now) })
    .where(own)
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'organization_domains_verified' ? domainTakenProblem(before.domain) : error
    })
  if (!after) throw new Error('The outcome was not stored')
  if (before.verifiedAt && !after.verifiedAt) await endDomainSessions(tx, events, after)
  return { before, after }
}

/** A verified domain stays verified for the grace period. Name servers that don't respond change nothing. */
function consequences({ verifiedAt, missingSince }: DomainRow, failure: DomainFailure | null, now: Date) {
  if (failure === null) return { verifiedAt: verifiedAt ?? now, missingSince: null }
  if (failure === 'dns_unavailable' || !verifiedAt) return {}
  const since = missingSince ?? now
  const isOver = now.getTime() - since.getTime() >= graceMs
  return isOver ? { verifiedAt: null, missingSince: null } : { missingSince: since }
}
