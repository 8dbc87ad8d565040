import { and, eq } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { emitMemberJoined } from '../members/events.ts'
import { requireSeat } from '../entitlements/seats.ts'
import { getOrganization } from '../organizations.ts'
import type { Account } from '../../accounts/accounts.ts'
import { memberships } from '../../schema.ts'
import { ProviderFailure, type OwnProvider, type ProviderPerson } from '../../sign-in/social-login/provider.ts'

/** @throws ProviderFailure for other domains and unverified ones */
export function requireOwnDomain({ domains }: OwnProvider, { verifiedEmail }: ProviderPerson): string {
  const domain = verifiedEmail?.slice(verifiedEmail.lastIndexOf('@') + 1)
  if (domain && domains.verified.includes(domain)) return domain
  if (domain && domains.all.includes(domain))
    throw new ProviderFailure('unproven', `The organization hasn’t verified the domain ${domain}.`)
  throw new ProviderFailure('outsider', 'The email address isn’t at one of the organization’s domains.')
}

/** A viewer if new. @throws ProviderFailure for a new person outside the verified domains; 402 without a seat */
export async function findOrCreateMember(
  call: Call,
  own: OwnProvider,
  { user }: Account,
  person: ProviderPerson,
): Promise<Account> {
  const { organizationId } = own
  if (!(await isMember(call.db, organizationId, user.id))) {
    requireOwnDomain(own, person)
    await auditedTransaction(call, (tx) => addMember(call, tx, organizationId, user))
  }
  return { user, organization: await getOrganization(call.db, user.id, organizationId) }
}

const isMember = async (db: Database, organizationId: string, userId: string): Promise<boolean> =>
  (await db.$count(memberships, and(eq(memberships.organizationId, organizationId), eq(memberships.userId, userId)))) >
  0

async function addMember(call: Call, tx: Database, organizationId: string, user: Account['user']): Promise<void> {
  const joined = await tx
    .insert(memberships)
    .values({ organizationId, userId: user.id, role: 'viewer', createdAt: call.now() })
    .onConflictDoNothing()
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'memberships_super_admin'
        ? new ProviderFailure('outsider', 'A super admin can only belong to the super admins’ organization.')
        : error
    })
  await requireSeat(tx, organizationId)
  if (joined.length > 0) await emitMemberJoined(tx, call, { organizationId, user, role: 'viewer', invited: false })
  recordChange(tx, { object: 'member', id: user.id, by: user, after: { role: 'viewer' }, organizationId })
}
