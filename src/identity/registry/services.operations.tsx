import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { AppTiles } from '#views/shell/navigation.tsx'
import type { ShellApp } from '#views/shell/shell.ts'
import { CatalogService, RoleBundle, Scope, Service, ServicePermission, ServiceQuery } from '../contract.ts'
import { resolveUrls } from '../oauth/services.ts'
import { findOwnOrganization } from '../organizations/organizations.ts'
import {
  listCatalog,
  listInstalled,
  findService,
  permissionsOf,
  roleBundlesOf,
  scopesOf,
  requireServiceBySlug,
} from './services.ts'

export const getServiceBySlug = operation({
  route: 'GET /api/services/by-slug/:slug',
  summary: 'Get a service by slug',
  permission: 'public',
  input: z.object({ slug: plainText(100) }),
  output: Service,
  run: ({ db, input }) => requireServiceBySlug(db, input.slug),
})

const ServiceContext = z.object({
  context: z
    .union([Id, z.literal('personal')], 'Must be the ID of an organization or personal.')
    .optional()
    .describe('The ID of one of your organizations, or `personal`. Defaults to the active context.'),
})
type ServiceContext = z.output<typeof ServiceContext>

/** Null for the personal one. @throws {Problem} 404 for an organization that the caller isn’t in */
async function contextOf(db: Database, actor: Actor, context: string | undefined): Promise<string | null> {
  const active = actor.organization?.id ?? null
  if (context === undefined || context === active) return active
  if (context !== 'personal') return (await findOwnOrganization({ db, actor }, context)).id
  if (actor.onlyIn) throw notFound('organization')
  return null
}

const listOperation = {
  summary: 'List services and apps',
  permission: 'signed-in',
  personal: false,
  input: ServiceContext,
  output: listOf(CatalogService),
  problems: { not_found: 404 },
  run: async (call: Call<ServiceContext, Actor>) => {
    const { db, actor, input } = call
    const organizationId = await contextOf(db, actor, input.context)
    const { items, ...rest } = await listCatalog(db, organizationId, actor.service)
    return { ...rest, items: items.map((entry) => resolveUrls(call, entry)) }
  },
  view: ({ items }: { items: CatalogService[] }) => <AppTiles apps={items.flatMap(tileOf)} />,
} as const

/** Installed apps have a tile in the app switcher. */
const tileOf = ({ id, name, icon, webUrl, handoffUri, launchable, installed }: CatalogService): ShellApp[] =>
  launchable && installed && webUrl !== null ? [{ id, name, icon, webUrl, href: webUrl, redirectUri: handoffUri }] : []

export const listServices = operation({ route: 'GET /api/services', ...listOperation })

// The app switcher of other hosts reaches identity under /api/auth (IDN-25).
export const listApps = operation({ route: 'GET /api/auth/services', ...listOperation })

/** For callers who can’t list apps themselves: an API key has no session. */
export const listInstalledServices = operation({
  route: 'GET /api/internal/organizations/:id/services',
  summary: 'List an organization’s installed services and apps',
  permission: 'service',
  callers: ['platform-dashboard-api'],
  input: z.object({ id: Id }),
  output: listOf(CatalogService),
  run: async (call) => {
    const { items, ...rest } = await listInstalled(call.db, call.input.id)
    return { ...rest, items: items.map((entry) => resolveUrls(call, entry)) }
  },
})

export const getService = operation({
  route: 'GET /api/services/:id',
  summary: 'Get a service',
  permission: 'known',
  input: ServiceQuery,
  output: CatalogService,
  run: async (call) => resolveUrls(call, await findService(call.db, call.input.id, call.actor.organization?.id)),
})

export const listServicePermissions = operation({
  route: 'GET /api/services/:id/permissions',
  summary: 'List a service’s permissions and their roles',
  permission: 'known',
  input: ServiceQuery,
  output: listOf(ServicePermission),
  run: ({ db, input }) => permissionsOf(db, input.id),
})

export const listScopes = operation({
  route: 'GET /api/services/:id/scopes',
  summary: 'List a service’s API key scopes',
  permission: 'known',
  input: ServiceQuery,
  output: listOf(Scope),
  run: ({ db, input }) => scopesOf(db, input.id),
})

export const listRoleBundles = operation({
  route: 'GET /api/services/:id/role-bundles',
  summary: 'List the permissions of roles in a service',
  permission: 'known',
  input: ServiceQuery,
  output: listOf(RoleBundle),
  run: ({ db, input }) => roleBundlesOf(db, input.id),
})
