import { and, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { refuseSuspended, runningSuspension } from '../admin/suspended.ts'
import { requireActiveOrganization } from '../organizations/organizations.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { organizations, suspensions, workspaceRevocations } from '../schema.ts'
import type { DeveloperOrganizationRow } from './contract.ts'

/** @throws {Problem} 404 */
export async function readDeveloperOrganization(db: Database, id: string): Promise<DeveloperOrganizationRow> {
  const [row] = await db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      developerWorkspace: organizations.developerWorkspace,
      suspendedFor: suspensions.reason,
      revokedFor: workspaceRevocations.reason,
    })
    .from(organizations)
    .leftJoin(suspensions, runningSuspension)
    .leftJoin(workspaceRevocations, eq(workspaceRevocations.organizationId, organizations.id))
    .where(eq(organizations.id, id))
  if (!row) throw notFound('organization')
  const { suspendedFor, revokedFor: revocationReason, ...organization } = row
  const status = revocationReason ? 'revoked' : suspendedFor ? 'suspended' : 'active'
  return { ...organization, status, reason: revocationReason ?? suspendedFor }
}

/** @throws {Problem} 409 for an organization that isn't one, 403 for one that is suspended or revoked */
export async function requireDeveloperAccess(db: Database, id: string): Promise<DeveloperOrganizationRow> {
  const organization = await readDeveloperOrganization(db, id)
  await refuseEnded(db, organization)
  if (!organization.developerWorkspace)
    throw conflict(
      'no_developer_access',
      `${organization.name} isn’t a developer organization. Ask an owner to turn on developer access.`,
    )
  return organization
}

/** @throws {Problem} 403 for a suspended or revoked organization, whose keys can't be changed (IDN-34) */
export async function refuseEndedAccess(db: Database, organizationId: string): Promise<void> {
  await refuseEnded(db, await readDeveloperOrganization(db, organizationId))
}

async function refuseEnded(db: Database, { id, name, status, reason }: DeveloperOrganizationRow): Promise<void> {
  if (status === 'revoked') throw revokedProblem(name, reason ?? '')
  if (status === 'suspended') await refuseSuspended(db, id)
}

const revokedProblem = (name: string, reason: string) =>
  new Problem(403, 'workspace_suspended', `Developer access of ${name} was permanently revoked: ${reason}`)

type DeveloperContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events'>

/** Nothing changes for one that is. @throws {Problem} 404 for any other organization, 403 for a revoked organization */
export async function enableAccess(
  { db, actor, events }: DeveloperContext,
  id: string,
): Promise<DeveloperOrganizationRow> {
  requireActiveOrganization(actor, id)
  await refuseEndedAccess(db, id)
  const [made] = await db
    .update(organizations)
    .set({ developerWorkspace: true })
    .where(and(eq(organizations.id, id), eq(organizations.developerWorkspace, false)))
    .returning()
  if (made) recordChange(db, { object: 'organization', id, after: { developerWorkspace: true } })
  await publishRevocation(db, events, id)
  return readDeveloperOrganization(db, id)
}
