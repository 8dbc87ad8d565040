/** The permission `posts:read` has the scope `posts.read`. */
export const permissionOf = (scope: string): string => scope.replace('.', ':')

export const scopeOf = (permission: string): string => permission.replace(':', '.')
