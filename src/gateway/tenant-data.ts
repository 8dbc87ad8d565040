import { sql } from 'drizzle-orm'
import { emailData } from './email/tenant-data.ts'
import { modelsData } from './models/tenant-data.ts'
import { sendersData } from './senders/tenant-data.ts'
import { socialData } from './social-credentials/tenant-data.ts'
import { videoData } from './video/tenant-data.ts'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import {
  budgetAlerts,
  budgetHolds,
  budgetLeases,
  budgetDifferences,
  budgetPeriods,
  limits,
  providerCredentials,
  usageDaily,
  usageDedupe,
  usageLogs,
} from './schema.ts'

const day = 24 * 60 * 60_000

const limitsOf = (organizationId: string) =>
  sql`SELECT ${limits.id} FROM ${limits} WHERE ${limits.organizationId} = ${organizationId}`

/** Erasure follows their order. */
export const gatewayData: readonly TenantData[] = [
  tenantTable(budgetHolds, {
    organization: budgetHolds.organizationId,
    person: budgetHolds.userId,
    export: { never: 'It is deleted when its request ends, and becomes usage.' },
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(budgetLeases, {
    organization: (id) => sql`${budgetLeases.limitId} IN (${limitsOf(id)})`,
    export: { never: 'It only says which server can spend how much of a budget.' },
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(budgetPeriods, {
    organization: (id) => sql`${budgetPeriods.limitId} IN (${limitsOf(id)})`,
    export: ['limitId', 'periodStart', 'periodEnd', 'spentNanoUsd'],
    erasure: { organization: 'cascade' },
    retention: { after: budgetPeriods.periodEnd, ms: 400 * day },
  }),
  tenantTable(budgetAlerts, {
    organization: budgetAlerts.organizationId,
    export: ['id', 'organizationId', 'limitId', 'percent', 'mode', 'spentNanoUsd', 'limitNanoUsd', 'createdAt'],
    erasure: { organization: 'delete' },
    retention: { after: budgetAlerts.createdAt, ms: 400 * day },
  }),
  tenantTable(budgetDifferences, {
    organization: (id) => sql`${budgetDifferences.limitId} IN (${limitsOf(id)})`,
    export: ['id', 'limitId', 'periodStart', 'amountNanoUsd', 'serverId', 'createdBy', 'createdAt'],
    erasure: { organization: 'cascade', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(providerCredentials, {
    organization: providerCredentials.organizationId,
    export: [
      ...(['id', 'organizationId', 'provider', 'mode', 'label', 'lastFour', 'baseUrl', 'health'] as const),
      ...([
        'lastError',
        'checkedAt',
        'createdBy',
        'createdAt',
        'rotatedAt',
        'status',
        'provedCalls',
        'rotationEndsAt',
      ] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(limits, {
    organization: limits.organizationId,
    export: [
      ...(['id', 'organizationId', 'scopeType', 'scopeValue', 'family', 'period', 'mode', 'limitNanoUsd'] as const),
      ...(['timeZone', 'countsFrom', 'createdBy', 'createdAt', 'updatedAt'] as const),
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
      ...(['errorCode', 'fallbacks', 'streamed', 'paidBy'] as const),
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
      ...(['unit', 'count', 'quantity', 'costNanoUsd', 'paidBy'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  ...modelsData,
  ...emailData,
  ...sendersData,
  ...socialData,
  ...videoData,
]
