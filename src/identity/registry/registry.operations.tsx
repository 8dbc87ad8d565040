import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { listOf } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { Id } from '#lib/ids.ts'
import { ServiceSections } from '#views/identity/registry/service.tsx'
import { ServiceTable } from '#views/identity/registry/services.tsx'
import { CatalogService, RoleBundle, ServicePermission } from '../contract.ts'
import { updateBundles } from './bundles.ts'
import {
  BundleEdit,
  BundlesEdit,
  NarrowedKeys,
  RegisteredService,
  ScopeDraft,
  ScopeEdit,
  ScopeEnd,
  ServiceDraft,
  ServiceEdit,
} from './contract.ts'
import { editService, addService } from './registry.ts'
import { addScope, editScope, inspectService, removeScope } from './scopes.ts'
import { listRegistry } from './services.ts'

const pageOf = (id: string) => `/admin/services/${id}`

export const listRegisteredServices = operation({
  route: 'GET /api/admin/services',
  summary: 'List all registered services',
  permission: 'super-admin',
  input: z.object({}),
  output: listOf(CatalogService),
  run: ({ db }) => listRegistry(db),
  view: ({ items }) => <ServiceTable services={items} />,
})

export const getRegisteredService = operation({
  route: 'GET /api/admin/services/:id',
  summary: 'Get a registered service with its permissions',
  permission: 'super-admin',
  input: z.object({ id: Id }),
  output: RegisteredService,
  run: ({ db, input }) => inspectService(db, input.id),
  view: (service) => <ServiceSections service={service} />,
})

const changedService = async ({ ask, input: { id } }: Pick<Call<{ id: string }>, 'ask' | 'input'>) => (
  <ServiceSections service={await ask(getRegisteredService, { id })} />
)

export const createService = operation({
  route: 'POST /api/services',
  summary: 'Register a service',
  permission: 'super-admin',
  input: ServiceDraft,
  output: CatalogService,
  creates: true,
  problems: { slug_taken: 409 },
  example: { slug: 'acme-maps', name: 'Maps', description: 'Maps and directions' },
  run: async ({ db, input }) => {
    const service = await addService(db, input)
    return reply(201, service, { next: pageOf(service.id), toast: `${service.name} added` })
  },
})

export const updateService = operation({
  route: 'PATCH /api/services/:id',
  summary: 'Update a service',
  permission: 'super-admin',
  input: ServiceEdit,
  output: CatalogService,
  example: { description: 'Publishing to social networks' },
  run: async ({ db, input }) => {
    const { before, after } = await editService(db, input)
    return reply(200, after, {
      next: pageOf(after.id),
      // The title of the page is its name.
      leavesPage: before.name !== after.name,
      toast: `${after.name} updated`,
    })
  },
  view: (_, call) => changedService(call),
})

export const createScope = operation({
  route: 'POST /api/services/:id/scopes',
  summary: 'Create a permission and its scope',
  permission: 'super-admin',
  input: ScopeDraft,
  output: ServicePermission,
  creates: true,
  problems: { scope_exists: 409 },
  run: async ({ db, input }) =>
    reply(201, await addScope(db, input), { next: pageOf(input.id), toast: `${input.scope} added` }),
  view: (_, call) => changedService(call),
})

export const updateScope = operation({
  route: 'PATCH /api/services/:id/scopes/:scope',
  summary: 'Update a permission',
  permission: 'super-admin',
  input: ScopeEdit,
  output: ServicePermission,
  problems: { scope_in_use: 409 },
  run: async (call) => {
    const { id, scope } = call.input
    return reply(200, await editScope(call, call.input), { next: pageOf(id), toast: `${scope} updated` })
  },
  view: (_, call) => changedService(call),
})

export const deleteScope = operation({
  route: 'DELETE /api/services/:id/scopes/:scope',
  summary: 'Delete a permission',
  permission: 'super-admin',
  input: ScopeEnd,
  output: NarrowedKeys,
  problems: { scope_in_use: 409 },
  run: async (call) => {
    const { id, scope } = call.input
    return reply(200, await removeScope(call, call.input), { next: pageOf(id), toast: `${scope} deleted` })
  },
  view: (_, call) => changedService(call),
})

const rolesUpdated = (id: string) => ({ next: pageOf(id), toast: 'Role permissions updated' })

export const setRoleBundles = operation({
  route: 'PUT /api/services/:id/role-bundles',
  summary: 'Set the permissions of all roles in a service',
  permission: 'super-admin',
  input: BundlesEdit,
  output: listOf(RoleBundle),
  run: async (call) => reply(200, await updateBundles(call, call.input), rolesUpdated(call.input.id)),
  view: (_, call) => changedService(call),
})

export const setRoleBundle = operation({
  route: 'PUT /api/services/:id/role-bundles/:role',
  summary: 'Set the permissions of a role in a service',
  permission: 'super-admin',
  input: BundleEdit,
  output: RoleBundle,
  run: async (call) => {
    const { id, role, permissions } = call.input
    const { items } = await updateBundles(call, { id, bundles: { [role]: permissions } })
    return reply(200, items.find((bundle) => bundle.role === role) ?? { role, permissions }, rolesUpdated(id))
  },
  view: (_, call) => changedService(call),
})
