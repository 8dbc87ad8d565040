import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import {
  accountDeletionLetter,
  organizationDeletionLetter,
  type AccountDeletionNews,
  type OrganizationDeletionNews,
} from '#views/emails/deletion.tsx'
import { ownersOf } from '../owners.ts'
import { findVerifiedRecovery } from '../recovery-email/verified.ts'

type NoticeContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>
type Mailing = Pick<Call, 'mail' | 'now'> & {
  /** The address of a page for a person elsewhere. */
  linkTo(path: string): string
}

const mailingOf = ({ config, request, mail, now }: NoticeContext): Mailing => ({
  mail,
  now,
  linkTo: (path) => publicUrl(path, config, request),
})

/** Mails an organization's owners what became of its deletion, on the transaction that changes it. */
export const notifyOwners = (
  call: NoticeContext,
  tx: Database,
  organizationId: string,
  news: OrganizationDeletionNews,
) => mailOwners(mailingOf(call), tx, organizationId, news)

/** The same where no request is at hand. */
export async function mailOwners(
  { mail, now, linkTo }: Mailing,
  tx: Database,
  organizationId: string,
  news: OrganizationDeletionNews,
): Promise<void> {
  const href = linkTo('/settings/organization/deletion')
  for (const { email, organization } of await ownersOf(tx, organizationId))
    await mail.send(tx, email, organizationDeletionLetter({ organization, href, ...news }), now())
}

interface Recipient {
  id: string
  email: string
}

/** Mails a person, at their recovery address too, what became of their account's deletion. */
export const notifyUser = (call: NoticeContext, tx: Database, person: Recipient, news: AccountDeletionNews) =>
  mailPerson(mailingOf(call), tx, person, news)

/** The same where no request is at hand. */
export async function mailPerson(
  { mail, now, linkTo }: Mailing,
  tx: Database,
  { id, email }: Recipient,
  news: AccountDeletionNews,
): Promise<void> {
  const letter = accountDeletionLetter({ href: linkTo('/login'), ...news })
  for (const to of [email, await findVerifiedRecovery(tx, id)]) if (to) await mail.send(tx, to, letter, now())
}
