import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { providerEndpoints, rejectedWebhooks } from '../schema.ts'

const day = 24 * 60 * 60 * 1000

export const webhooksData: readonly TenantData[] = [
  tenantTable(providerEndpoints, {
    organization: providerEndpoints.organizationId,
    export: [
      ...(['id', 'organizationId', 'provider', 'mode', 'scope', 'url', 'providerEndpointId'] as const),
      ...(['createdAt', 'lastEventAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(rejectedWebhooks, {
    organization: rejectedWebhooks.organizationId,
    export: { never: 'It only counts requests, and is deleted after two days.' },
    erasure: { organization: 'delete' },
    retention: { after: rejectedWebhooks.hour, ms: 2 * day },
  }),
]
