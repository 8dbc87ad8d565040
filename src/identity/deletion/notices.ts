import { and, eq, ne } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import {
  accountDeletionLetter,
  organizationDeletionLetter,
  type AccountDeletionNews,
  type OrganizationDeletionNews,
} from '#views/emails/deletion.tsx'
import { verifiedRecovery } from '../recovery-email/verified.ts'
import { memberships, organizations, users } from '../schema.ts'

type Facts = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** Mails an organization's owners what became of its deletion, on the transaction that changes it. */
export async function tellOwners(
  { config, request, mail, now }: Facts,
  tx: Database,
  organizationId: string,
  news: OrganizationDeletionNews,
): Promise<void> {
  const href = publicUrl('/settings/organization/deletion', config, request)
  for (const { email, organization } of await ownersOf(tx, organizationId))
    await mail.send(tx, email, organizationDeletionLetter({ organization, href, ...news }), now())
}

/** The addresses of an organization's owners, with its name. */
const ownersOf = (db: Database, organizationId: string) =>
  db
    .select({ email: users.email, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.role, 'owner'),
        ne(users.principalType, 'agent'),
      ),
    )
    .orderBy(users.id)

/** Mails a person, at their recovery address too, what became of their account's deletion. */
export async function tellPerson(
  { config, request, mail, now }: Facts,
  tx: Database,
  { id, email }: { id: string; email: string },
  news: AccountDeletionNews,
): Promise<void> {
  const letter = accountDeletionLetter({ href: publicUrl('/login', config, request), ...news })
  for (const to of [email, await verifiedRecovery(tx, id)]) if (to) await mail.send(tx, to, letter, now())
}
