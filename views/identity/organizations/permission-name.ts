import type { PermissionEntry } from '#identity/types'

/** A permission within its service: `posts:write`. */
export const shortName = ({ permission }: PermissionEntry): string => permission.slice(permission.indexOf('.') + 1)

/** A permission as people read it: `Social: posts:write`. */
export const titleOf = (entry?: PermissionEntry): string =>
  entry ? `${entry.serviceName}: ${shortName(entry)}` : 'Deleted permission'
