import { and, asc, eq, isNotNull, lte, or } from 'drizzle-orm'
import type { Config } from '#config'
import { audited, auditedByJob } from '#lib/audit.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Dns } from '#lib/dns.ts'
import type { Events } from '#lib/events.ts'
import type { Mail } from '#lib/mail.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { organizationDomains } from '../schema.ts'
import { checkRecord } from './challenge.ts'
import { loggedDomain, type DomainRow } from './domains.ts'
import { domainsPath, mailDomainOwners } from './notices.ts'
import { keepOutcome } from './outcome.ts'

const hour = 60 * 60 * 1000
/** Milliseconds after which a verified domain is checked again; sooner while its record is missing. */
const every = 24 * hour
const everyMissing = hour
/** Domains of one run, and how many are looked up at once. */
const most = 500
const atOnce = 10

interface Parts {
  database: DatabaseHandle
  dns: Dns
  events: Events
  mail: Mail
  config: Config
  now: () => Date
}

/**
 * Checks the records of verified domains again. Owners are mailed when one is gone, and when its grace is over: then the
 * organization's own provider neither makes accounts at that domain nor signs people in by it.
 */
export async function recheckDomains(parts: Parts): Promise<void> {
  const at = parts.now()
  const before = (age: number) => lte(organizationDomains.checkedAt, new Date(at.getTime() - age))
  const due = await parts.database.db
    .select()
    .from(organizationDomains)
    .where(
      and(
        isNotNull(organizationDomains.verifiedAt),
        or(before(every), and(isNotNull(organizationDomains.missingSince), before(everyMissing))),
      ),
    )
    .orderBy(asc(organizationDomains.checkedAt))
    .limit(most)
  for (let from = 0; from < due.length; from += atOnce)
    await Promise.all(due.slice(from, from + atOnce).map((row) => recheck(parts, row)))
}

async function recheck(parts: Parts, row: DomainRow): Promise<void> {
  const failure = await checkRecord(parts.dns, row)
  const now = parts.now()
  const source = { operation: 'identity.recheck-domains', now: parts.now }
  await auditedByJob(parts.database, source, async (tx) => {
    const [still] = await tx.select().from(organizationDomains).where(eq(organizationDomains.id, row.id))
    if (!still) return
    const { before, after } = await keepOutcome(tx, parts.events, { id: row.id, failure, now })
    const isLost = before.verifiedAt !== null && after.verifiedAt === null
    const changed = isLost || (before.missingSince === null) !== (after.missingSince === null)
    if (!changed) return
    const { id, organizationId } = row
    const change = { object: 'organization_domain', id, organizationId }
    audited(tx, { ...change, before: loggedDomain(before), after: loggedDomain(after) })
    const mailing = { ...parts, href: publicUrlOfJob(domainsPath, parts.config) }
    if (isLost) await mailDomainOwners(tx, mailing, after, 'lost')
    else if (after.missingSince) await mailDomainOwners(tx, mailing, after, 'missing')
  })
}
