import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { publicUrl } from '#lib/public-url.ts'
import { firstFactorLetter } from '#views/emails/first-factor.tsx'
import { memberships, organizations, passkeys, totpAuthenticators, users } from '../../schema.ts'
import { confirmedAppOf } from '../totp/codes.ts'

type MailContext = Pick<Call, 'config' | 'request' | 'mail' | 'now'>

/** In the transaction that adds it: until then the password was enough, so another person can have set it up. */
export async function notifyOwnersOfFirstFactor(
  { config, request, mail, now }: MailContext,
  tx: Database,
  user: { id: string; name: string; email: string },
): Promise<void> {
  if ((await countFactors(tx, user.id)) !== 1) return
  const href = publicUrl('/settings/members', config, request)
  for (const { owner, organization } of await listOwnersToNotify(tx, user.id)) {
    const letter = firstFactorLetter({ name: user.name, email: user.email, organization, href })
    await mail.send(tx, owner, letter, now())
  }
}

async function countFactors(tx: Database, userId: string): Promise<number> {
  const apps = await tx.$count(totpAuthenticators, confirmedAppOf(userId))
  return apps + (await tx.$count(passkeys, eq(passkeys.userId, userId)))
}

async function listOwnersToNotify(tx: Database, userId: string) {
  const theirs = tx.select({ id: memberships.organizationId }).from(memberships).where(eq(memberships.userId, userId))
  return tx
    .select({ owner: users.email, organization: organizations.name })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        inArray(memberships.organizationId, theirs),
        organizations.requiresSecondFactor,
        eq(memberships.role, 'owner'),
        ne(memberships.userId, userId),
      ),
    )
}
