import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { ShellPart } from '#lib/context.ts'
import { reconciliationPath } from '#views/payments/reconciliation/words.ts'
import type { ShellPlace } from '#views/shell/shell.ts'
import { countOpen } from './reconciliation/read.ts'

/** In the order of the navigation. */
const places: readonly (ShellPlace & { permission: string })[] = [
  { label: 'Overview', icon: 'chart-line', href: '/pay', permission: 'dashboard:read' },
  { label: 'Orders', icon: 'receipt', href: '/pay/orders', permission: 'payments:read' },
  { label: 'Refunds', icon: 'undo-2', href: '/pay/refunds', permission: 'payments:read' },
  { label: 'Transactions', icon: 'arrow-left-right', href: '/pay/transactions', permission: 'transactions:read' },
  { label: 'Settlements', icon: 'landmark', href: '/pay/settlements', permission: 'transactions:read' },
  { label: 'Invoices', icon: 'file-text', href: '/pay/invoices', permission: 'invoices:read' },
  { label: 'Customers', icon: 'users', href: '/pay/customers', permission: 'customers:read' },
  { label: 'Merchants', icon: 'store', href: '/pay/merchants', permission: 'merchants:read' },
  { label: 'Webhooks', icon: 'webhook', href: '/pay/webhooks', permission: 'payments:read' },
  { label: 'Reports', icon: 'chart-column', href: '/pay/reports', permission: 'reports:read' },
  {
    label: 'Reconciliation',
    icon: 'shield-check',
    href: reconciliationPath,
    permission: 'transactions:read',
  },
  { label: 'Analytics', icon: 'activity', href: '/pay/analytics', permission: 'analytics:read' },
  { label: 'Audit log', icon: 'history', href: '/pay/audit', permission: 'audit:read' },
  { label: 'Settings', icon: 'settings', href: '/pay/settings', permission: 'settings:read' },
]

export async function shell({ identity, db }: Call, actor: Actor): Promise<ShellPart> {
  const serviceId = await identity.serviceId('platform-pay')
  const has = (permission: string) => actor.permissions.has(`${serviceId}.${permission}`)
  const organizationId = actor.organization?.id
  const differences = organizationId !== undefined && has('transactions:read') ? await countOpen(db, organizationId) : 0
  return {
    places: places
      .filter(({ permission }) => has(permission))
      .map(({ label, icon, href }) => ({
        label,
        icon,
        href,
        ...(href === reconciliationPath && { count: differences }),
      })),
  }
}
