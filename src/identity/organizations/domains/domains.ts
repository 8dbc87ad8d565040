import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId, randomToken } from '#lib/ids.ts'
import { requireActiveOrganization } from '../organizations.ts'
import { organizationDomains, organizations } from '../../schema.ts'
import { failureDetail, recordFor } from './challenge.ts'
import { endDomainSessions } from './end-sessions.ts'
import { isPublicEmailDomain } from './public-mail.ts'

type ActorCall = Call<unknown, Actor>
export type DomainRow = typeof organizationDomains.$inferSelect

/** Per organization. */
const maxDomains = 20

/** How long a domain stays verified after its record disappeared. */
export const graceMs = 72 * 60 * 60 * 1000

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

export function auditFieldsOf(row: DomainRow) {
  const { domain, verifiedAt, missingSince, failure } = row
  return { domain, status: statusOf(row), verifiedAt, missingSince, failure }
}

const statusOf = ({ verifiedAt, failure }: DomainRow): 'pending' | 'verified' | 'failed' => {
  if (verifiedAt) return 'verified'
  return failure ? 'failed' : 'pending'
}

/** @throws {Problem} 404 for any other organization */
export async function listDomains({ db, actor }: ActorCall, organizationId: string) {
  requireActiveOrganization(actor, organizationId)
  const rows = await db
    .select()
    .from(organizationDomains)
    .where(eq(organizationDomains.organizationId, organizationId))
    .orderBy(asc(organizationDomains.domain))
  return rows.map(publicDomain)
}

/** @throws {Problem} 404, 422 for the domain of a public email provider, 409 for a known domain and beyond 20 */
export async function addDomain(call: ActorCall, { id, domain }: { id: string; domain: string }) {
  const { db, actor, now } = call
  requireActiveOrganization(actor, id)
  if (await isPublicEmailDomain(domain))
    throw invalid([
      {
        path: 'domain',
        message: `${domain} is a public email provider. Enter a domain that your organization owns.`,
      },
    ])
  // Concurrent requests wait for each other, so that each counts the other's domain.
  await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, id)).for('update')
  if ((await db.$count(organizationDomains, eq(organizationDomains.organizationId, id))) >= maxDomains)
    throw conflict('too_many_domains', `An organization can have at most ${maxDomains} domains. Delete one first.`)
  const [row] = await db
    .insert(organizationDomains)
    .values({ id: newId(), organizationId: id, domain, token: randomToken(), createdAt: now() })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('domain_exists', `${domain} was already added.`)
  recordChange(db, { object: 'organization_domain', id: row.id, after: { domain } })
  return publicDomain(row)
}

/** Ends the sessions of people who signed in with it. @throws {Problem} 404 */
export async function removeDomain(
  { db, actor, events }: ActorCall,
  organizationId: string,
  id: string,
): Promise<void> {
  requireActiveOrganization(actor, organizationId)
  const [row] = await db.delete(organizationDomains).where(ofOrganization(organizationId, id)).returning()
  if (!row) throw notFound('domain')
  recordChange(db, { object: 'organization_domain', id, before: { domain: row.domain } })
  await endDomainSessions(db, events, row)
}

/** Only one organization can have verified a domain. */
export const domainTakenProblem = (domain: string) =>
  conflict(
    'domain_taken',
    `Another organization has verified ${domain}. Remove that organization’s TXT record from your DNS, then check again.`,
  )

/** @throws {Problem} 404 */
export async function findDomain(db: Database, organizationId: string, id: string): Promise<DomainRow> {
  const [row] = await db.select().from(organizationDomains).where(ofOrganization(organizationId, id))
  if (!row) throw notFound('domain')
  return row
}

const ofOrganization = (organizationId: string, id: string) =>
  and(eq(organizationDomains.id, id), eq(organizationDomains.organizationId, organizationId))

/** The names of an organization's domains: the verified ones, and all. */
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
