import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { freeWorkspaces, platformSubscriptions } from '../schema.ts'
import { install } from './apps.ts'
import { findAccess, listRecords, type SubscriptionRecord } from './find-access.ts'

export type ApplyWork = Pick<JobDependencies, 'identity'> & { db: Database }

const maxRounds = 5

/**
 * Gives an organization what it pays for now, wherever it stood before. Nothing happens to one that never subscribed.
 *
 * 1. `full`: apps and seats of the package, and those apps again that were suspended.
 * 2. `read_only`: no more apps or members; those that are there stay.
 * 3. `ended`: paid apps are suspended. Their data stays.
 *
 * Repeated when the records changed meanwhile: of two calls at once, the one that writes last has read the newest state.
 */
export async function applyAccess(work: ApplyWork, organizationId: string): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const before = await listVersions(work.db, organizationId)
    await applyRecords(work, organizationId)
    if (Bun.deepEquals(before, await listVersions(work.db, organizationId))) return
  }
  throw new Error('The subscriptions of an organization change faster than they can be applied')
}

async function listVersions(db: Database, organizationId: string) {
  const [paid, free] = await Promise.all(
    [platformSubscriptions, freeWorkspaces].map((table) =>
      db
        .select({ id: table.id, sequence: table.sequence })
        .from(table)
        .where(and(eq(table.ownerType, 'organization'), eq(table.holderId, organizationId)))
        .orderBy(table.id),
    ),
  )
  return { paid, free }
}

async function applyRecords(work: ApplyWork, organizationId: string): Promise<void> {
  const found = await findAccess(work, organizationId)
  if (!found) return
  const { access, record, terms } = found
  if (access === 'ended' && record) await suspendApps(work, record)
  await work.identity.replaceEntitlement(organizationId, terms)
  if (access === 'full') await restoreApps(work, organizationId)
}

async function restoreApps(work: ApplyWork, organizationId: string): Promise<void> {
  const suspended = (await listRecords(work.db, organizationId)).filter(({ suspendedApps }) => suspendedApps.length > 0)
  if (suspended.length === 0) return
  const by = await findOwner(work, organizationId)
  if (by === null) return
  for (const { id, suspendedApps } of suspended) {
    for (const appId of suspendedApps) await install(work, organizationId, appId, by)
    await work.db.update(platformSubscriptions).set({ suspendedApps: [] }).where(eq(platformSubscriptions.id, id))
  }
}

/** Noted before they are removed, so that none is forgotten. */
async function suspendApps(work: ApplyWork, { id, holderId, suspendedApps }: SubscriptionRecord): Promise<void> {
  const { apps: catalog } = await work.identity.catalog(holderId)
  const installed = catalog.filter((app) => app.paid && app.installed).map((app) => app.id)
  if (installed.length === 0) return
  const by = await findOwner(work, holderId)
  if (by === null) return
  await work.db
    .update(platformSubscriptions)
    .set({ suspendedApps: [...new Set([...suspendedApps, ...installed])] })
    .where(eq(platformSubscriptions.id, id))
  for (const appId of installed) await work.identity.setInstalled(holderId, appId, { installed: false, by })
}

/** Who installs apps for the organization; null for a suspended one. */
export async function findOwner(
  { identity }: Pick<ApplyWork, 'identity'>,
  organizationId: string,
): Promise<string | null> {
  const holders = await identity.permissionHolders(organizationId, 'platform-dashboard-api', 'settings:write')
  return (holders.find(({ role }) => role === 'owner') ?? holders[0])?.id ?? null
}
