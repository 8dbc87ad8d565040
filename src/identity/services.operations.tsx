import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { words } from '#lib/words.ts'
import { CatalogService, listOf, RoleBundle, Scope, Service, ServiceQuery } from './contract.ts'
import { catalog, roleBundlesOf, scopesOf, serviceBySlug } from './services.ts'

export const findServiceBySlug = operation({
  route: 'GET /api/services/by-slug/:slug',
  summary: 'A service’s id in this environment',
  permission: 'public',
  input: z.object({ slug: words(100) }),
  output: Service,
  run: ({ db, input }) => serviceBySlug(db, input.slug),
})

const listing = {
  summary: 'Every service of this environment, and which of them people open',
  permission: 'signed-in',
  input: z.object({}),
  output: listOf(CatalogService),
  run: ({ db }: Pick<Call, 'db'>) => catalog(db),
} as const

export const listServices = operation({ route: 'GET /api/services', ...listing })

// The same for the app switcher of whatever host it stands on (IDN-25).
export const listApps = operation({ route: 'GET /api/auth/services', ...listing })

export const listScopes = operation({
  route: 'GET /api/services/:id/scopes',
  summary: 'The scopes that a key of a service can carry',
  permission: 'known',
  input: ServiceQuery,
  output: listOf(Scope),
  run: ({ db, input }) => scopesOf(db, input.id),
})

export const listRoleBundles = operation({
  route: 'GET /api/services/:id/role-bundles',
  summary: 'What each role may do in a service',
  permission: 'known',
  input: ServiceQuery,
  output: listOf(RoleBundle),
  run: ({ db, input }) => roleBundlesOf(db, input.id),
})
