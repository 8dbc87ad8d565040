import { atLeast, type Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Organization } from '../contract.ts'
import { listApps, offeredApps } from './apps.ts'
import { entitlementState } from './entitlements.ts'

/** What a member sees of their organization's plan and apps; admins also what they could install. */
export async function planOf(call: Call<unknown, Actor>, { id, role }: Organization) {
  const mayInstall = atLeast(role, 'admin')
  const [entitlement, { items: installed }, offered] = await Promise.all([
    entitlementState(call.db, id),
    listApps(call, id),
    mayInstall ? offeredApps(call.db, id) : [],
  ])
  return { entitlement, installed, offered, mayInstall }
}
