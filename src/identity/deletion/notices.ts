import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import {
  accountDeletionLetter,
  organizationDeletionLetter,
  type AccountDeletionNews,
  type OrganizationDeletionNews,
} from '#views/emails/deletion.tsx'
import { ownersOf } from '../organizations/owners.ts'
import { findVerifiedRecovery } from '../accounts/recovery-email/verified.ts'

type NoticeContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>
type Mailing = Pick<Call, 'mail' | 'now'> & {
  linkTo(path: string): string
}

const mailingOf = ({ config, request, mail, now }: NoticeContext): Mailing => ({
  mail,
  now,
  linkTo: (path) => publicUrl(path, config, request),
})

/** In the transaction of the change. */
export const notifyOwners = (
  call: NoticeContext,
  tx: Database,
  organizationId: string,
  news: OrganizationDeletionNews,
) => mailOwners(mailingOf(call), tx, organizationId, news)

/** Outside a request. */
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

/** Also at their recovery email. */
export const notifyUser = (call: NoticeContext, tx: Database, person: Recipient, news: AccountDeletionNews) =>
  mailPerson(mailingOf(call), tx, person, news)

export async function mailPerson(
  { mail, now, linkTo }: Mailing,
  tx: Database,
  { id, email }: Recipient,
  news: AccountDeletionNews,
): Promise<void> {
  const letter = accountDeletionLetter({ href: linkTo('/login'), ...news })
  for (const to of [email, await findVerifiedRecovery(tx, id)]) if (to) await mail.send(tx, to, letter, now())
}
