import { and, eq, isNotNull, ne } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { organizationDomains, upstreamIdentities } from '../../schema.ts'
import { checkRecord } from './challenge.ts'
import { domainTakenProblem, findDomain, auditFieldsOf, publicDomain, type DomainRow } from './domains.ts'
import { endDomainSessions } from './end-sessions.ts'
import { domainsPath, mailDomainOwners } from './notices.ts'
import { storeOutcome } from './outcome.ts'

/** Moves a domain from an organization whose record is gone. @throws {Problem} 404, 409 while that record is there */
export async function verifyDomain(call: Call<unknown, Actor>, organizationId: string, id: string) {
  requireActiveOrganization(call.actor, organizationId)
  const row = await findDomain(call.db, organizationId, id)
  const failure = await checkRecord(call.dns, row)
  const former = failure === null ? await findFormerOwner(call, row) : undefined
  return auditedTransaction(call, async (tx) => {
    if (former) await releaseDomain(call, tx, former)
    const { before, after } = await storeOutcome(tx, call.events, { id, failure, now: call.now() })
    recordChange(tx, { object: 'organization_domain', id, before: auditFieldsOf(before), after: auditFieldsOf(after) })
    return publicDomain(after)
  })
}

/** @throws {Problem} 409 while that record is there */
async function findFormerOwner({ db, dns }: Pick<Call, 'db' | 'dns'>, { id, domain }: DomainRow) {
  const { verifiedAt, domain: name, id: other } = organizationDomains
  const [owner] = await db
    .select()
    .from(organizationDomains)
    .where(and(eq(name, domain), isNotNull(verifiedAt), ne(other, id)))
  if (!owner) return undefined
  const failure = await checkRecord(dns, owner)
  if (failure === 'record_missing' || failure === 'record_wrong') return owner
  throw domainTakenProblem(domain)
}

/** Removes the identities that its SSO created. Its audit log doesn't name the other organization's person. */
async function releaseDomain(call: Call, around: Database, former: DomainRow): Promise<void> {
  const { id, organizationId, domain } = former
  const { operation, now, events, mail, config, request } = call
  const source = { db: around, operation, now, actor: null, request: { id: request.id, address: null } }
  await auditedTransaction(source, async (tx) => {
    const [after] = await tx
      .update(organizationDomains)
      .set({ verifiedAt: null, missingSince: null, failure: 'record_missing' })
      .where(eq(organizationDomains.id, id))
      .returning()
    if (!after) return
    await endDomainSessions(tx, events, former)
    const made = and(eq(upstreamIdentities.provider, organizationId), eq(upstreamIdentities.domain, domain))
    await tx.delete(upstreamIdentities).where(made)
    const change = { object: 'organization_domain', id, organizationId }
    recordChange(tx, { ...change, before: auditFieldsOf(former), after: auditFieldsOf(after) })
    await mailDomainOwners(tx, { mail, now, href: publicUrl(domainsPath, config, request) }, after, 'taken')
  })
}
