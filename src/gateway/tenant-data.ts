import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { limits, usageDaily, usageDedupe, usageLogs } from './schema.ts'

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
  tenantTable(usageLogs, {
    organization: usageLogs.organizationId,
    export: [
      ...(['id', 'organizationId', 'requestId', 'applicationId', 'apiKeyId', 'userId', 'family', 'provider'] as const),
      ...(['model', 'unit', 'quantity', 'costNanoUsd', 'certainty', 'priceDate', 'occurredAt', 'receivedAt'] as const),
      ...(['metadata', 'inputTokens', 'outputTokens', 'cachedTokens', 'latencyMs', 'firstByteMs', 'status'] as const),
      ...(['errorCode', 'fallbacks', 'streamed'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: { job: 'gateway.maintain-usage' },
  }),
  tenantTable(usageDedupe, {
    organization: usageDedupe.organizationId,
    export: { never: 'It repeats the request IDs of the usage records.' },
    erasure: { organization: 'delete' },
    retention: { job: 'gateway.maintain-usage' },
  }),
  tenantTable(usageDaily, {
    organization: usageDaily.organizationId,
    export: [
      ...(['organizationId', 'day', 'applicationId', 'apiKeyId', 'userId', 'family', 'provider', 'model'] as const),
      ...(['unit', 'count', 'quantity', 'costNanoUsd'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
