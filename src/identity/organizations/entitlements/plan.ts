import { atLeast, type Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Organization } from '../../contract.ts'
import { listApps, listOfferedApps } from './apps.ts'
import { getEntitlementState } from './entitlements.ts'

/** The plan and apps of an organization as its members see them. Admins also get the apps to install. */
export async function planOf(call: Call<unknown, Actor>, { id, role }: Organization) {
  const mayInstall = atLeast(role, 'admin')
  const [entitlement, { items: installed }, offered] = await Promise.all([
    getEntitlementState(call.db, id),
    listApps(call, id),
    mayInstall ? listOfferedApps(call.db, id) : [],
  ])
  return { entitlement, installed, offered, mayInstall }
}
