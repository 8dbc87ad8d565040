import { and, count, eq, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { memberships, organizations, serviceAccess, services } from '../../schema.ts'
import { Entitlement, type EntitlementState, type Seats } from './contract.ts'

/** The services that can provision, check slugs and count seats, with their own tokens (IDN-45). */
export const billingPlane = {
  permission: 'service',
  callers: ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api'],
} as const

/** For organizations from before entitlements existed, and those that never had a checkout. */
const everything: Entitlement = { mode: 'all' }

/** Null for unlimited. */
export function allowedApps({ mode, paidAppCount, appSlugs }: Entitlement): number | null {
  if (mode === 'all') return null
  return mode === 'free' ? 0 : (paidAppCount ?? appSlugs?.length ?? 0)
}

/** @throws {Problem} 404 */
export async function entitlementOf(db: Database, organizationId: string): Promise<Entitlement> {
  return parseSettings(await db.select(settings).from(organizations).where(eq(organizations.id, organizationId)))
}

/** Locked until the transaction ends. */
export async function lockEntitlement(db: Database, organizationId: string): Promise<Entitlement> {
  const own = eq(organizations.id, organizationId)
  return parseSettings(await db.select(settings).from(organizations).where(own).for('no key update'))
}

const settings = { settings: organizations.settings }

function parseSettings([row]: { settings: Record<string, unknown> }[]): Entitlement {
  if (!row) throw notFound('organization')
  return Entitlement.parse(row.settings['appEntitlement'] ?? everything)
}

export async function storeEntitlement(db: Database, organizationId: string, entitlement: Entitlement): Promise<void> {
  const before = await lockEntitlement(db, organizationId)
  const appEntitlement = sql`jsonb_build_object('appEntitlement', ${JSON.stringify(entitlement)}::text::jsonb)`
  await db
    .update(organizations)
    .set({ settings: sql`${organizations.settings} || ${appEntitlement}` })
    .where(eq(organizations.id, organizationId))
  recordChange(db, { object: 'entitlement', id: organizationId, before, after: entitlement, organizationId })
}

/** @throws {Problem} 404 */
export async function getEntitlementState(db: Database, organizationId: string): Promise<EntitlementState> {
  const { seats: paid, ...terms } = await entitlementOf(db, organizationId)
  const [used, seats] = await Promise.all([countPaidApps(db, organizationId), seatsOf(db, organizationId, paid)])
  const allowed = allowedApps(terms)
  return { ...terms, used, allowed, left: leftOf(allowed, used), seats }
}

export async function countPaidApps(db: Database, organizationId: string): Promise<number> {
  const [row] = await db
    .select({ apps: count() })
    .from(serviceAccess)
    .innerJoin(services, eq(services.id, serviceAccess.serviceId))
    .where(and(eq(serviceAccess.organizationId, organizationId), eq(services.paid, true)))
  return row?.apps ?? 0
}

/** `paid` is undefined for unlimited seats. */
export async function seatsOf(db: Database, organizationId: string, paid: number | undefined): Promise<Seats> {
  const [row] = await db
    .select({ used: count() })
    .from(memberships)
    .where(eq(memberships.organizationId, organizationId))
  const used = row?.used ?? 0
  return { used, paid: paid ?? null, left: leftOf(paid ?? null, used) }
}

const leftOf = (allowed: number | null, used: number): number | null =>
  allowed === null ? null : Math.max(0, allowed - used)
