import { z } from 'zod'
import { Id } from './ids.ts'
import { operation } from './operation.ts'

/** What a service is called in this environment: its ID differs between environments, its slug doesn’t. */
export const serviceIdentityOf = (slug: string) =>
  operation({
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
