interface Named {
  permission: string
  serviceName: string
}

/** A permission within its service: `posts:write`. */
export const shortName = ({ permission }: Pick<Named, 'permission'>): string =>
  permission.slice(permission.indexOf('.') + 1)

/** A permission as people read it: `Social: posts:write`. */
export const titleOf = (named: Named): string => `${named.serviceName}: ${shortName(named)}`
