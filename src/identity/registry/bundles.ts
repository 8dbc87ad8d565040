import { and, eq, notInArray } from 'drizzle-orm'
import { roles, type Role } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { publishRevocationForAll } from '../tokens/revocation.ts'
import { roleBundles, services } from '../schema.ts'
import { permissionsOf, roleBundlesOf } from './services.ts'
import type { BundlesEdit } from './contract.ts'

type RevocationContext = Pick<Call, 'db' | 'events'>

/** From the next request. @throws 404; 422 for permissions that the service doesn’t have */
export async function updateBundles({ db, events }: RevocationContext, { id, bundles }: BundlesEdit) {
  await db.select({ id: services.id }).from(services).where(eq(services.id, id)).for('update')
  const known = (await permissionsOf(db, id)).items.map(({ permission }) => permission)
  const bundlesToSet = roles.flatMap((role) => (bundles[role] ? [{ role, permissions: bundles[role] }] : []))
  requireKnownPermissions(bundlesToSet, known)
  const before = await roleBundlesOf(db, id)
  for (const { role, permissions } of bundlesToSet) {
    const own = and(eq(roleBundles.serviceId, id), eq(roleBundles.role, role))
    await db.delete(roleBundles).where(and(own, notInArray(roleBundles.permission, permissions)))
    const rows = permissions.map((permission) => ({ serviceId: id, role, permission }))
    if (rows.length > 0) await db.insert(roleBundles).values(rows).onConflictDoNothing()
  }
  const after = await roleBundlesOf(db, id)
  recordChange(db, { object: 'service', id, before: byRole(before), after: byRole(after) })
  await publishRevocationForAll(db, events)
  return after
}

interface Bundle {
  role: Role
  permissions: string[]
}

function requireKnownPermissions(bundlesToSet: Bundle[], known: string[]): void {
  const unknown = bundlesToSet.flatMap(({ permissions }) => permissions.filter((each) => !known.includes(each)))
  if (unknown.length > 0)
    throw invalid(unknown.map((each) => ({ path: 'permissions', message: `Unknown permission ${each}.` })))
}

const byRole = ({ items }: { items: Bundle[] }) =>
  Object.fromEntries(items.map(({ role, permissions }) => [role, permissions]))
