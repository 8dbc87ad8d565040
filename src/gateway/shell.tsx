import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import type { ShellPlace } from '#views/shell/shell.ts'

/** In the order of the navigation. */
const places: readonly (ShellPlace & { permission: string })[] = [
  { label: 'Spend', icon: 'gauge', href: '/gateway', permission: 'usage:read' },
  { label: 'Usage', icon: 'activity', href: '/gateway/usage', permission: 'usage:read' },
  { label: 'Budgets', icon: 'piggy-bank', href: '/gateway/limits', permission: 'usage:read' },
  { label: 'Models', icon: 'boxes', href: '/gateway/models', permission: 'usage:read' },
  { label: 'Credentials', icon: 'key-round', href: '/gateway/credentials', permission: 'usage:read' },
  { label: 'Connections', icon: 'plug', href: '/gateway/connections', permission: 'usage:read' },
  { label: 'Senders', icon: 'mail', href: '/gateway/senders', permission: 'usage:read' },
  { label: 'Email log', icon: 'send', href: '/gateway/mail', permission: 'usage:read' },
  { label: 'Dead letters', icon: 'mail-x', href: '/gateway/dead-letters', permission: 'usage:read' },
  { label: 'Telemetry', icon: 'radio', href: '/gateway/telemetry', permission: 'usage:read' },
]

export async function shell({ identity }: Call, actor: Actor): Promise<ShellPart> {
  const gatewayId = await identity.serviceId('platform-gateway')
  return {
    places: places
      .filter(({ permission }) => actor.permissions.has(`${gatewayId}.${permission}`))
      .map(({ label, icon, href }) => ({ label, icon, href })),
  }
}
