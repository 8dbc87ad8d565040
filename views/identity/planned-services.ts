/** Services of the registry that aren't built yet: pages don't show them. */
const planned = new Set(['platform-dashboard-api', 'platform-pay'])

export const isPlanned = (slug: string): boolean => planned.has(slug)

/** Permissions of the social service without an operation yet. */
const plannedPermissions = new Set(['analytics:read', 'calendar:read', 'calendar:write', 'dashboard:read'])

export const isPlannedPermission = (service: string, permission: string): boolean =>
  isPlanned(service) || (service === 'platform-socialize' && plannedPermissions.has(permission))

/** An app that people can open: the identity service has no pages of its own. */
export const isServed = ({ slug }: { slug: string }): boolean => !planned.has(slug) && slug !== 'platform-identity'
