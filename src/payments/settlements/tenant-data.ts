import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import {
  callbackSecrets,
  settlementCallbackAttempts,
  settlementCallbacks,
  settlementItems,
  settlements,
} from '../schema.ts'

export const settlementsData: readonly TenantData[] = [
  tenantTable(settlementCallbackAttempts, {
    organization: settlementCallbackAttempts.organizationId,
    export: ['callbackId', 'organizationId', 'number', 'at', 'durationMs', 'status', 'problem'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(settlementCallbacks, {
    organization: settlementCallbacks.organizationId,
    export: [
      ...(['id', 'organizationId', 'settlementId', 'sequence', 'body', 'state', 'tries', 'attempts'] as const),
      ...(['lastStatus', 'nextAttemptAt', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(settlementItems, {
    organization: settlementItems.organizationId,
    export: [
      ...(['id', 'organizationId', 'settlementId', 'position', 'reference', 'recipient', 'amount'] as const),
      'accountKey',
      ...(['currency', 'status', 'transferId', 'payoutId', 'reversalId', 'transferSentAt', 'payoutSentAt'] as const),
      ...([
        'reversedAmount',
        'reversalSentAt',
        'failureCode',
        'failureMessage',
        'createdAt',
        'settledAt',
        'changedAt',
      ] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(settlements, {
    organization: settlements.organizationId,
    export: [
      ...(['id', 'organizationId', 'merchantId', 'batchId', 'status', 'currency', 'controlSum', 'itemCount'] as const),
      'accountKey',
      'responsibleId',
      ...(['callbackUrl', 'repeats', 'requestedBy', 'requesterKind', 'requestingService', 'ceiling'] as const),
      ...(['decidedBy', 'decidedAt', 'confirmedAlone', 'failure', 'missingAmount', 'lastSequence'] as const),
      ...(['callbacksStoppedAt', 'createdAt', 'startedAt', 'finishedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(callbackSecrets, {
    organization: callbackSecrets.organizationId,
    export: [
      'id',
      'organizationId',
      'lastFour',
      'previousLastFour',
      'previousEndsAt',
      'createdAt',
      'rotatedBy',
      'rotatedAt',
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
