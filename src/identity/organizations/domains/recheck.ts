import { and, asc, eq, isNotNull, lte, or } from 'drizzle-orm'
import type { Config } from '#config'
import { recordChange, auditedJobTransaction } from '#lib/audit.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Dns } from '#lib/dns.ts'
import type { Events } from '#lib/events.ts'
import type { Mail } from '#lib/mail.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import { organizationDomains } from '../../schema.ts'
import { checkRecord } from './challenge.ts'
import { auditFieldsOf, type DomainRow } from './domains.ts'
import { domainsPath, mailDomainOwners } from './notices.ts'
import { storeOutcome } from './outcome.ts'

const hour = 60 * 60 * 1000
/** A domain whose record is missing is checked every hour. */
const recheckMs = 24 * hour
const recheckMissingMs = hour
/** Per run. */
const maxDomains = 500
const concurrency = 10

interface RecheckContext {
  database: DatabaseHandle
  dns: Dns
  events: Events
  mail: Mail
  config: Config
  now: () => Date
}

/** Owners are mailed about a missing record, and when the domain becomes unverified: then SSO no longer accepts it. */
export async function recheckDomains(context: RecheckContext): Promise<void> {
  const at = context.now()
  const before = (age: number) => lte(organizationDomains.checkedAt, new Date(at.getTime() - age))
  const due = await context.database.db
    .select()
    .from(organizationDomains)
    .where(
      and(
        isNotNull(organizationDomains.verifiedAt),
        or(before(recheckMs), and(isNotNull(organizationDomains.missingSince), before(recheckMissingMs))),
      ),
    )
    .orderBy(asc(organizationDomains.checkedAt))
    .limit(maxDomains)
  for (let from = 0; from < due.length; from += concurrency)
    await Promise.all(due.slice(from, from + concurrency).map((row) => recheck(context, row)))
}

async function recheck(context: RecheckContext, row: DomainRow): Promise<void> {
  const failure = await checkRecord(context.dns, row)
  const now = context.now()
  const source = { operation: 'identity.recheck-domains', now: context.now }
  await auditedJobTransaction(context.database, source, async (tx) => {
    const [still] = await tx.select().from(organizationDomains).where(eq(organizationDomains.id, row.id))
    if (!still) return
    const { before, after } = await storeOutcome(tx, context.events, { id: row.id, failure, now })
    const isLost = before.verifiedAt !== null && after.verifiedAt === null
    const changed = isLost || (before.missingSince === null) !== (after.missingSince === null)
    if (!changed) return
    const { id, organizationId } = row
    const change = { object: 'organization_domain', id, organizationId }
    recordChange(tx, { ...change, before: auditFieldsOf(before), after: auditFieldsOf(after) })
    const mailing = { ...context, href: publicUrlOfJob(domainsPath, context.config) }
    if (isLost) await mailDomainOwners(tx, mailing, after, 'lost')
    else if (after.missingSince) await mailDomainOwners(tx, mailing, after, 'missing')
  })
}
