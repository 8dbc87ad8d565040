import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import {
  domainLostLetter,
  domainMissingLetter,
  domainTakenLetter,
  type DomainFacts,
} from '#views/emails/domain-proof.tsx'
import { ownersOf } from '../owners.ts'
import { recordFor } from './challenge.ts'
import { graceMs, type DomainRow } from './domains.ts'

const letters = {
  missing: (facts: DomainFacts, now: Date) =>
    domainMissingLetter({ ...facts, endsAt: new Date(now.getTime() + graceMs) }),
  lost: domainLostLetter,
  taken: domainTakenLetter,
}

export const domainsPath = '/settings/sign-in'

export async function mailDomainOwners(
  tx: Database,
  { mail, now, href }: Pick<Call, 'mail' | 'now'> & { href: string },
  row: DomainRow,
  happened: keyof typeof letters,
): Promise<void> {
  for (const { email, organization } of await ownersOf(tx, row.organizationId)) {
    const facts = { organization, domain: row.domain, record: recordFor(row), href }
    await mail.send(tx, email, letters[happened](facts, now()), now())
  }
}
