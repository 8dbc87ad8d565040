interface Named {
  permission: string
  serviceName: string
}

/** Within its service: `posts:write`. */
export const shortName = ({ permission }: Pick<Named, 'permission'>): string =>
  permission.slice(permission.indexOf('.') + 1)

/** `Social: posts:write`. */
export const titleOf = (named: Named): string => `${named.serviceName}: ${shortName(named)}`
