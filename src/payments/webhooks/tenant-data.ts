import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { connectedSearches, providerEndpoints, rejectedWebhooks } from '../schema.ts'

const day = 24 * 60 * 60 * 1000

export const webhooksData: readonly TenantData[] = [
  tenantTable(connectedSearches, {
    organization: connectedSearches.organizationId,
    export: ['endpointId', 'account', 'organizationId', 'searchedAt', 'searchedUntil'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(providerEndpoints, {
    organization: providerEndpoints.organizationId,
    export: [
      ...(['id', 'organizationId', 'provider', 'mode', 'scope', 'url', 'providerEndpointId'] as const),
      ...(['accountKey', 'createdAt', 'lastEventAt'] as const),
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
