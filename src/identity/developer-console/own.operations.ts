import type { Operation } from '#lib/operation.ts'

const signedPrefix = '/api/developer-console/'

/** The name of an operation for people: `createDeveloperApp` is `createOwnDeveloperApp` to whoever is signed in. */
const ownName = (name: string): string => name.replace(/^([a-z]+)(?=[A-Z])/, '$1Own')

/**
 * The same acts for people at the pages of `/developers`: what a service does by a signed request for somebody, an admin
 * who is signed in does themselves. Reading is done by the pages.
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
