import type { Operation } from '#lib/operation.ts'

const signedPrefix = '/api/developer-console/'

/** The operation's name for signed-in people: `createDeveloperApp` becomes `createOwnDeveloperApp`. */
const ownName = (name: string): string => name.replace(/^([a-z]+)(?=[A-Z])/, '$1Own')

/**
 * The console's changes for the pages of `/developers`: a signed-in admin calls them directly, instead of a service by
 * signed request. The pages do the reading.
 */
export const ownOperations = (signed: Record<string, Operation>): Record<string, Operation> =>
  Object.fromEntries(
    Object.entries(signed).flatMap(([name, operation]) => {
      const [method, path = ''] = operation.route.split(' ')
      if (method === 'GET' || !path.startsWith(signedPrefix)) return []
      const route = `${method} ${path.replace(signedPrefix, '/developers/')}`
      return [
        [
          ownName(name),
          { ...operation, route, permission: 'role:admin' as const, signed: undefined, callers: undefined },
        ],
      ]
    }),
  )
