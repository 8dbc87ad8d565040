import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { welcomeLetter } from '#views/emails/welcome.tsx'
import { saveLastContext } from '../../accounts/accounts.ts'
import { refuseSuspended } from '../../admin/suspended.ts'
import { deletionPendingProblem, findPendingDeletion } from '../../deletion/pending.ts'
import { updateSeatsAction } from '../entitlements/seats-action.ts'
import { storeEntitlement } from '../entitlements/entitlements.ts'
import { issueLink, shortLifetimeMs, type LinkInput } from '../../sign-in/magic-links/links.ts'
import { createOrganization } from '../organizations.ts'
import { grantServiceAccess } from '../../registry/service-access.ts'
import { serviceAccess, services } from '../../schema.ts'
import { webOrigin } from '../../oauth/services.ts'
import type { Checkout } from './contract.ts'
import { resolveDestination } from './destination.ts'
import { findOrCreateOwner, findOwnedWorkspace } from './owner.ts'

type ActorCall = Call<unknown, Actor>

/** The browser can be closed right after the payment, so the link of the first email lasts long. */
const welcomeLinkLifetimeMs = 72 * 60 * 60 * 1000

/**
 * Creates the organization or finds the one that the customer owns, and returns a link that signs them in (IDN-41).
 * Concurrent calls for one address create it once. @throws 403 for a suspended organization and an account that is
 * pending deletion; 409 for a super admin; 422 for an unknown service or a redirect URI that isn’t its own
 */
export async function provision(call: ActorCall, input: Checkout) {
  const { db, now } = call
  const service = await requireLaunchableService(db, input.serviceId)
  const origin = webOrigin(call, service.slug)
  const redirectUri = await resolveDestination(call, service, input.redirectUri)
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`provision ${input.email}`}, 0))`)
  const user = await findOrCreateOwner(db, input, now())
  const pending = await findPendingDeletion(db, user.id, now(), false)
  if (pending) throw deletionPendingProblem(pending)
  const owned = await findOwnedWorkspace(db, user.id)
  if (owned) await refuseSuspended(db, owned.id)
  const organization = owned ?? (await createWorkspace(call, user, input))
  if (input.entitlement) {
    await storeEntitlement(db, organization.id, input.entitlement)
    await updateSeatsAction(db, organization.id)
  }
  await grantServiceAccess(call, { organizationId: organization.id, service, by: null })
  const link = { user, organizationId: organization.id, redirectUri }
  if (!owned) await mailWelcomeLink(call, link, { origin, workspace: organization.name })
  const { path, expiresAt } = await issueLink(db, { ...link, skipInterstitial: true, life: shortLifetimeMs }, now())
  return { orgId: organization.id, userId: user.id, created: !owned, loginUrl: origin + path, expiresAt }
}

/** @throws 422 for unknown and internal services */
async function requireLaunchableService(db: Database, id: string) {
  const [service] = await db
    .select()
    .from(services)
    .where(and(eq(services.id, id), ne(services.surfaceKind, 'internal')))
  if (!service) throw invalid([{ path: 'serviceId', message: 'Must be the ID of a registered service.' }])
  return service
}

/** Every organization begins with all paid apps; here only those of the checkout are kept. */
async function createWorkspace(call: ActorCall, owner: LinkOwner, input: Checkout) {
  const { db } = call
  const name = input.workspaceName ?? input.company ?? ''
  const organization = await createOrganization(call, owner, { name, developerWorkspace: false })
  await saveLastContext(db, owner.id, organization.id)
  if (input.entitlement?.mode !== 'all') await withdrawPaidServices(db, organization.id)
  return organization
}

type LinkOwner = Awaited<ReturnType<typeof findOrCreateOwner>>

const withdrawPaidServices = (db: Database, organizationId: string) => {
  const paid = db.select({ id: services.id }).from(services).where(eq(services.paid, true))
  return db
    .delete(serviceAccess)
    .where(and(eq(serviceAccess.organizationId, organizationId), inArray(serviceAccess.serviceId, paid)))
}

type LinkTarget = Pick<LinkInput, 'user' | 'organizationId' | 'redirectUri'>

async function mailWelcomeLink(
  { db, mail, now }: ActorCall,
  link: LinkTarget,
  { origin, workspace }: { origin: string; workspace: string },
): Promise<void> {
  const { path } = await issueLink(db, { ...link, skipInterstitial: false, life: welcomeLinkLifetimeMs }, now())
  await mail.send(db, link.user.email, welcomeLetter({ workspace, href: origin + path }), now())
}
