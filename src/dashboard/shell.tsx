import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { countOpen } from './actions/list.ts'
import type { ShellPlace } from '#views/shell/shell.ts'

/** In the order of the navigation. */
const places: readonly (ShellPlace & { permission: string | null })[] = [
  { label: 'Dashboard', icon: 'layout-grid', href: '/dashboard', permission: 'dashboard:read' },
  { label: 'Apps', icon: 'blocks', href: '/apps', permission: null },
  { label: 'Actions', icon: 'inbox', href: '/actions', permission: 'notifications:read' },
  { label: 'Settings', icon: 'settings', href: '/settings', permission: null },
]

export async function shell(call: Call, actor: Actor): Promise<ShellPart> {
  const { identity } = call
  const serviceId = await identity.serviceId('platform-dashboard-api')
  const has = (permission: string | null) => permission === null || actor.permissions.has(`${serviceId}.${permission}`)
  const open = actor.organization && has('notifications:read') ? await countOpen({ ...call, actor }) : 0
  return {
    places: places
      .filter(({ permission }) => has(permission))
      .map(({ label, icon, href }) => ({ label, icon, href, ...(href === '/actions' && { count: open }) })),
  }
}
