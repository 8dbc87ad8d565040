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
import type { WorkspaceRow } from './contract.ts'

/** @throws {Problem} 404 */
export async function readWorkspace(db: Database, id: string): Promise<WorkspaceRow> {
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
  const { suspendedFor, revokedFor: revocationReason, ...workspace } = row
  const status = revocationReason ? 'revoked' : suspendedFor ? 'suspended' : 'active'
  return { ...workspace, status, reason: revocationReason ?? suspendedFor }
}

/** @throws {Problem} 409 for an organization that isn't one, 403 for one that is suspended or revoked */
export async function requireWorkspace(db: Database, id: string): Promise<WorkspaceRow> {
  const workspace = await readWorkspace(db, id)
  await refuseEnded(db, workspace)
  if (!workspace.developerWorkspace)
    throw conflict(
      'no_developer_workspace',
      `${workspace.name} isn’t a developer organization. Ask an owner to turn on developer access.`,
    )
  return workspace
}

/** @throws {Problem} 403 for a suspended or revoked workspace, whose keys can't be changed (IDN-34) */
export async function refuseEndedWorkspace(db: Database, organizationId: string): Promise<void> {
  await refuseEnded(db, await readWorkspace(db, organizationId))
}

async function refuseEnded(db: Database, { id, name, status, reason }: WorkspaceRow): Promise<void> {
  if (status === 'revoked') throw revokedProblem(name, reason ?? '')
  if (status === 'suspended') await refuseSuspended(db, id)
}

const revokedProblem = (name: string, reason: string) =>
  new Problem(403, 'workspace_suspended', `Developer access of ${name} was permanently revoked: ${reason}`)

type WorkspaceContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events'>

/** Nothing changes for one that is. @throws {Problem} 404 for any other organization, 403 for a revoked workspace */
export async function enableDeveloperWorkspace(
  { db, actor, events }: WorkspaceContext,
  id: string,
): Promise<WorkspaceRow> {
  requireActiveOrganization(actor, id)
  await refuseEndedWorkspace(db, id)
  const [made] = await db
    .update(organizations)
    .set({ developerWorkspace: true })
    .where(and(eq(organizations.id, id), eq(organizations.developerWorkspace, false)))
    .returning()
  if (made) recordChange(db, { object: 'organization', id, after: { developerWorkspace: true } })
  await publishRevocation(db, events, id)
  return readWorkspace(db, id)
}
