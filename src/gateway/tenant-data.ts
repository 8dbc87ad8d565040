import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { limits } from './schema.ts'

/** Erasure follows their order. */
export const gatewayData: readonly TenantData[] = [
  tenantTable(limits, {
    organization: limits.organizationId,
    export: [
      ...(['id', 'organizationId', 'scopeType', 'scopeValue', 'family', 'period', 'mode', 'limitNanoUsd'] as const),
      ...(['timeZone', 'createdBy', 'createdAt', 'updatedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
