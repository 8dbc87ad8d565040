import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { ServiceView, type ServiceViewProps } from '#views/identity/registry/service.tsx'
import { Services } from '#views/identity/registry/services.tsx'
import { getRegisteredService, listRegisteredServices } from './registry.operations.tsx'

const admin = { permission: 'super-admin', frame: 'admin', header: 'own', screen: 'admin' } as const

export const servicesPage = page({
  ...admin,
  path: '/admin/services',
  icon: 'boxes',
  title: 'Services',
  query: z.object({}),
  load: async ({ ask }) => ({ services: (await ask(listRegisteredServices, {})).items }),
  view: (props) => <Services {...props} />,
})

export const servicePage = page({
  ...admin,
  path: '/admin/services/:id',
  title: ({ service }: ServiceViewProps) => service.name,
  query: z.object({ id: Id }),
  load: async ({ ask, input }): Promise<ServiceViewProps> => ({ service: await ask(getRegisteredService, input) }),
  view: (props) => <ServiceView {...props} />,
})
