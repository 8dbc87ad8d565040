/** Permissions of services without an operation yet: pages don’t show them. */
const planned: Readonly<Record<string, readonly string[]>> = {
  'platform-socialize': ['analytics:read'],
  'platform-dashboard-api': [
    'apps:read',
    'apps:write',
    'entitlements:read',
    'launcher:read',
    'launches:read',
    'settings:read',
    'settings:write',
    'workflows:read',
    'workflows:write',
  ],
}

export const isPlannedPermission = (service: string, permission: string): boolean =>
  planned[service]?.includes(permission) ?? false
