import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { audited } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { organizationDomains, organizations } from '../schema.ts'
import { failureDetail, recordFor } from './challenge.ts'
import { endDomainSessions } from './end-sessions.ts'
import { isPublicEmailDomain } from './public-mail.ts'

type ActorCall = Call<unknown, Actor>
export type DomainRow = typeof organizationDomains.$inferSelect

/** Domains of one organization. */
const maxDomains = 20

/** Milliseconds for which a verified domain counts although its record is gone. */
export const graceMs = 72 * 60 * 60 * 1000

/** A domain as the API shows it. */
export function publicDomain(row: DomainRow) {
  const { failure, missingSince } = row
  return {
    ...row,
    status: statusOf(row),
    record: recordFor(row),
    failure: failure && { reason: failure, detail: failureDetail(failure, row) },
    endsAt: missingSince && new Date(missingSince.getTime() + graceMs),
  }
}

/** What the audit log keeps of a domain. */
export function auditFieldsOf(row: DomainRow) {
  const { domain, verifiedAt, missingSince, failure } = row
  return { domain, status: statusOf(row), verifiedAt, missingSince, failure }
}

const statusOf = ({ verifiedAt, failure }: DomainRow): 'pending' | 'verified' | 'failed' => {
  if (verifiedAt) return 'verified'
  return failure ? 'failed' : 'pending'
}

/** The domains of the active organization, by name. Throws 404 for any other organization. */
export async function listDomains({ db, actor }: ActorCall, organizationId: string) {
  requireActiveOrganization(actor, organizationId)
  const rows = await db
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(asc(organizationDomains.domain))
  return rows.map(publicDomain)
}

/**
 * Adds a domain, which counts once it is verified. Throws 404 for any but the active organization, 422 for the domain of
 * a public mail provider, 409 for one that is there already and beyond 20.
 */
export async function addDomain(call: ActorCall, { id, domain }: { id: string; domain: string }) {
  const { db, actor, now } = call
  requireActiveOrganization(actor, id)
  if (await isPublicEmailDomain(domain))
    throw invalid([
      {
        path: 'domain',
        message: `Anyone can have an address at ${domain}. Use a domain that only your organization has.`,
      },
    ])
  // Of two requests at once the second has to count the first one's domain.
  await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update')
  if ((await db.$count(organizationDomains, eq(organizationDomains.organizationId, id))) >= maxDomains)
    throw conflict('too_many_domains', `An organization has at most ${maxDomains} domains. Remove one first.`)
  const [row] = await db
    .insert(organizationDomains)
    .values({ id: newId(), organizationId: id, domain, token: randomToken(), createdAt: now() })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('domain_exists', `${domain} is in the list already.`)
  audited(db, { object: 'organization_domain', id: row.id, after: { domain } })
  return publicDomain(row)
}

/** Removes a domain and ends the sessions of people who signed in by it. Throws 404. */
export async function removeDomain(
  { db, actor, events }: ActorCall,
  organizationId: string,
  id: string,
): Promise<void> {
  requireActiveOrganization(actor, organizationId)
  const [row] = await db.delete(organizationDomains).where(ofOrganization(organizationId, id)).returning()
  if (!row) throw notFound('domain')
  audited(db, { object: 'organization_domain', id, before: { domain: row.domain } })
  await endDomainSessions(db, events, row)
}

/** 409: a domain has one owner. */
export const domainTakenProblem = (domain: string) =>
  conflict(
    'domain_taken',
    `Another organization has verified ${domain}. Remove its TXT record from your DNS, then check again.`,
  )

/** A domain of an organization. Throws 404. */
export async function findDomain(db: Database, organizationId: string, id: string): Promise<DomainRow> {
  const [row] = await db.select().from(organizationDomains).where(ofOrganization(organizationId, id))
  if (!row) throw notFound('domain')
  return row
}

const ofOrganization = (organizationId: string, id: string) =>
  and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId))

/** The names of an organization's domains: those that it has proven, and all. */
export async function domainNames(
  db: Database,
  organizationId: string,
): Promise<{ verified: string[]; all: string[] }> {
  const rows = await db
    .select({ domain: organizationDomains.domain, verified: isNotNull(organizationDomains.verifiedAt) })
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(asc(organizationDomains.domain))
  return {
    verified: rows.filter(({ verified }) => verified).map(({ domain }) => domain),
    all: rows.map(({ domain }) => domain),
  }
}
