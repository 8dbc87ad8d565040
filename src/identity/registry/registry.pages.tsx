import { z } from 'zod'
import { roles } from '#lib/actor.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ServiceView, type ServiceViewProps } from '#views/identity/registry/service.tsx'
import { Services } from '#views/identity/registry/services.tsx'
import { CatalogService, ServicePermission } from '../contract.ts'
import { findService, permissionsOf, listRegistry } from './services.ts'
import { countKeysByScope } from './scopes.ts'

const admin = { permission: 'super-admin', frame: 'admin' } as const

export const servicesPage = page({
  ...admin,
  path: '/admin/services',
  title: 'Services',
  query: z.object({}),
  load: async ({ db }) => ({ services: z.array(CatalogService).parse(await listRegistry(db)) }),
  view: (shown) => <Services {...shown} />,
})

export const servicePage = page({
  ...admin,
  path: '/admin/services/:id',
  title: ({ service }: ServiceViewProps) => service.name,
  screen: 'registry',
  query: z.object({ id: Id }),
  load: async ({ db, input }): Promise<ServiceViewProps> => {
    const [service, permissions, keys] = await Promise.all([
      findService(db, input.id),
      permissionsOf(db, input.id),
      countKeysByScope(db, input.id),
    ])
    return {
      service: CatalogService.parse(service),
      permissions: z.array(ServicePermission).parse(permissions.items),
      keys,
      roles,
    }
  },
  view: (shown) => <ServiceView {...shown} />,
})
