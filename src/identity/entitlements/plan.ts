import { atLeast, type Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Organization } from '../contract.ts'
import { listApps, listOfferedApps } from './apps.ts'
import { getEntitlementState } from './entitlements.ts'

/** What a member sees of their organization's plan and apps; admins also what they could install. */
export async function planOf(call: Call<unknown, Actor>, { id, role }: Organization) {
  const mayInstall = atLeast(role, 'admin')
  const [entitlement, { items: installed }, offered] = await Promise.all([
    getEntitlementState(call.db, id),
    listApps(call, id),
    mayInstall ? listOfferedApps(call.db, id) : [],
  ])
  return { entitlement, installed, offered, mayInstall }
}
