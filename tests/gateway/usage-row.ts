import { newId } from '#lib/ids.ts'
import type { UsageRow } from '../../src/gateway/usage/insert.ts'

export const usageRow = (more: Partial<UsageRow> = {}): UsageRow => ({
  id: newId(),
  organizationId: newId(),
  requestId: newId(),
  applicationId: 'mail',
  apiKeyId: null,
  userId: null,
  family: 'requests',
  provider: 'localization-api',
  model: null,
  unit: 'request',
  quantity: 1,
  costNanoUsd: 1200n,
  certainty: 'exact',
  paidBy: 'platform',
  priceDate: null,
  occurredAt: new Date(),
  metadata: {},
  ...more,
})
