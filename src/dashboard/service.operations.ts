import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'

const slug = 'platform-dashboard-api'

export const getDashboardServiceIdentity = operation({
  route: 'GET /api/service-identity',
  summary: 'Get the service’s identity',
  permission: 'public',
  input: z.object({}),
  output: z.object({ slug: z.string(), serviceId: Id, environment: z.string() }),
  problems: { identity_unavailable: 503 },
  run: async ({ identity, config }) => ({
    slug,
    serviceId: await identity.serviceId(slug),
    environment: config.ATRIUM_ENV,
  }),
})
