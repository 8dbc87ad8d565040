import type { Database } from '#lib/db.ts'
import { retryLater } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { countWithinQuota } from '#lib/limits.ts'

const dayMs = 86_400_000
/** Per day: an organization can write to anyone, with text of its own. */
const maxPerRecipient = 20
const maxPerOrganization = 500

/** @throws {Problem} 429 beyond 20 a day from all organizations to one address, and 500 a day of one organization */
export async function countInvoiceMail(tx: Database, organizationId: string, recipient: string): Promise<void> {
  const to = digest(recipient.toLowerCase())
  if (!(await countWithinQuota(tx, { name: 'invoice-mails-to', subject: to, max: maxPerRecipient, windowMs: dayMs })))
    throw tooManyMails(`This address received ${maxPerRecipient} invoices today. Send this one tomorrow.`)
  const by = { name: 'invoice-mails-by', subject: organizationId, max: maxPerOrganization, windowMs: dayMs }
  if (!(await countWithinQuota(tx, by)))
    throw tooManyMails(`Your organization sent ${maxPerOrganization} invoices today. Send this one tomorrow.`)
}

const tooManyMails = (detail: string) => retryLater(429, 'too_many_mails', detail, { retryAfter: 3600 })
