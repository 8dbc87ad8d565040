import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { words } from '#lib/words.ts'
import { listOf, RoleBundle, Scope, Service, ServiceQuery } from './contract.ts'
import { roleBundlesOf, scopesOf, serviceBySlug } from './services.ts'

export const findServiceBySlug = operation({
  route: 'GET /api/services/by-slug/:slug',
  summary: 'A service’s id in this environment',
  permission: 'public',
  input: z.object({ slug: words(100) }),
  output: Service,
  run: ({ db, input }) => serviceBySlug(db, input.slug),
})

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
