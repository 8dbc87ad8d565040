import { and, asc, eq, isNotNull, lte, or } from 'drizzle-orm'
import type { Config } from '#config'
import type { Database, DatabaseHandle } from '#lib/db.ts'
import type { Dns } from '#lib/dns.ts'
import type { Events } from '#lib/events.ts'
import type { Mail } from '#lib/mail.ts'
import { domainLostLetter, domainMissingLetter } from '#views/emails/domain-proof.tsx'
import { memberships, organizationDomains, organizations, users } from '../schema.ts'
import { checkRecord, recordFor } from './challenge.ts'
import { grace, type DomainRow } from './domains.ts'
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
 * organization's own provider makes no accounts at that domain and signs nobody in by it.
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
  await parts.database.transaction(async (tx) => {
    const [still] = await tx.select().from(organizationDomains).where(eq(organizationDomains.id, row.id))
    if (!still) return
    const { before, after } = await keepOutcome(tx, parts.events, { id: row.id, failure, now })
    if (before.verifiedAt && !after.verifiedAt) await tellOwners(parts, tx, after, 'lost')
    else if (!before.missingSince && after.missingSince) await tellOwners(parts, tx, after, 'missing')
  })
}

async function tellOwners({ mail, config, now }: Parts, tx: Database, row: DomainRow, happened: 'missing' | 'lost') {
  const owners = await tx
    .select({ email: users.email, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.organizationId, row.organizationId), eq(memberships.role, 'owner')))
  const href = new URL('/settings/organization', config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).href
  const endsAt = new Date(now().getTime() + grace)
  for (const { email, organization } of owners) {
    const facts = { organization, domain: row.domain, record: recordFor(row), href }
    const letter = happened === 'lost' ? domainLostLetter(facts) : domainMissingLetter({ ...facts, endsAt })
    await mail.send(tx, email, letter, now())
  }
}
