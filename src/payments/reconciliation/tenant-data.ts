import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { reconciliationDifferences, reconciliationRuns } from '../schema.ts'

const dayMs = 24 * 60 * 60_000

export const reconciliationData: readonly TenantData[] = [
  tenantTable(reconciliationDifferences, {
    organization: reconciliationDifferences.organizationId,
    export: [
      ...(['id', 'organizationId', 'account', 'cause', 'kind', 'status', 'currency', 'ledgerAmount'] as const),
      ...(['providerAmount', 'ledgerFee', 'providerFee', 'ledgerState', 'providerState'] as const),
      ...(['providerReference', 'sourceReference', 'transactionId', 'merchantId', 'orderId', 'paymentId'] as const),
      ...(['refundId', 'itemId', 'occurredAt', 'proposal', 'detail', 'firstSeenAt', 'lastSeenAt'] as const),
      ...(['lastRunId', 'resolvedAt', 'resolvedBy', 'note', 'version'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(reconciliationRuns, {
    organization: reconciliationRuns.organizationId,
    export: [
      ...(['id', 'organizationId', 'account', 'scope', 'state', 'startedBy', 'startedAt', 'finishedAt'] as const),
      ...(['windowFrom', 'windowUntil', 'attempts', 'compared', 'matched', 'inTransit', 'differences'] as const),
      ...(['errorCode', 'errorDetail', 'balances'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: { after: reconciliationRuns.startedAt, ms: 400 * dayMs },
  }),
]
