import { and, desc, eq } from 'drizzle-orm'
import type { Entitlement } from '#identity'
import type { Database } from '#lib/db.ts'
import type { JobDependencies } from '#lib/job.ts'
import { freeWorkspaces, platformSubscriptions } from '../schema.ts'
import { install } from './apps.ts'
import type { CheckoutPackage } from './contract.ts'
import { CheckoutPackage as Package } from './contract.ts'
import { termsOf } from './entitlement.ts'

export type ApplyWork = Pick<JobDependencies, 'identity'> & { db: Database }

type SubscriptionRecord = typeof platformSubscriptions.$inferSelect

const maxRounds = 5

/** The best access counts, and of that the newest. */
const order = ['full', 'read_only', 'ended', 'none']

async function listRecords(db: Database, organizationId: string): Promise<SubscriptionRecord[]> {
  const rows = await db
    .select()
    .from(platformSubscriptions)
    .where(and(eq(platformSubscriptions.ownerType, 'organization'), eq(platformSubscriptions.holderId, organizationId)))
    .orderBy(desc(platformSubscriptions.id))
  return rows.toSorted((a, b) => order.indexOf(a.access) - order.indexOf(b.access))
}

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
  const [record] = await listRecords(work.db, organizationId)
  if (record && record.access !== 'ended' && record.access !== 'none') {
    await (record.access === 'full' ? giveAll(work, record) : closeDoors(work, organizationId))
    return
  }
  const free = await findFree(work.db, organizationId)
  if (record) await suspendApps(work, record)
  const { seats } = await work.identity.entitlement(organizationId)
  if (free) await work.identity.replaceEntitlement(organizationId, termsOf('free', 1))
  else if (record)
    await work.identity.replaceEntitlement(organizationId, {
      mode: 'free',
      seats: Math.max(1, seats.used),
      standing: 'ended',
    })
}

async function giveAll(work: ApplyWork, record: SubscriptionRecord): Promise<void> {
  const { holderId, seats } = record
  await work.identity.replaceEntitlement(holderId, termsOf(packageOf(record), seats))
  const suspended = (await listRecords(work.db, holderId)).filter(({ suspendedApps }) => suspendedApps.length > 0)
  if (suspended.length === 0) return
  const by = await findOwner(work, holderId)
  if (by === null) return
  for (const { id, suspendedApps } of suspended) {
    for (const appId of suspendedApps) await install(work, holderId, appId, by)
    await work.db.update(platformSubscriptions).set({ suspendedApps: [] }).where(eq(platformSubscriptions.id, id))
  }
}

async function closeDoors({ identity }: ApplyWork, organizationId: string): Promise<void> {
  const { seats } = await identity.entitlement(organizationId)
  const terms: Entitlement = {
    mode: 'count',
    paidAppCount: 0,
    seats: Math.max(1, seats.used),
    standing: 'unpaid',
  }
  await identity.replaceEntitlement(organizationId, terms)
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

const packageOf = ({ package: name }: SubscriptionRecord): CheckoutPackage => Package.parse(name)

/** Who installs apps for the organization; null for a suspended one. */
export async function findOwner(
  { identity }: Pick<ApplyWork, 'identity'>,
  organizationId: string,
): Promise<string | null> {
  const holders = await identity.permissionHolders(organizationId, 'platform-dashboard-api', 'settings:write')
  return (holders.find(({ role }) => role === 'owner') ?? holders[0])?.id ?? null
}

async function findFree(db: Database, organizationId: string) {
  const [found] = await db
    .select({ id: freeWorkspaces.id })
    .from(freeWorkspaces)
    .where(
      and(
        eq(freeWorkspaces.ownerType, 'organization'),
        eq(freeWorkspaces.holderId, organizationId),
        eq(freeWorkspaces.access, 'full'),
      ),
    )
    .limit(1)
  return found ?? null
}
