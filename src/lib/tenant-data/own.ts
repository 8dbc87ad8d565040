import {
  auditLog,
  idempotencyKeys,
  liveTokens,
  mails,
  raisedActions,
  rateLimits,
  receivedWebhooks,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookMessages,
} from '../schema.ts'
import { tenantTable, type TenantData } from '../tenant-data.ts'

/** How `lib`'s own tables take part in export, erasure, retention and backup. */
export const ownData: readonly TenantData[] = [
  tenantTable(auditLog, {
    organization: auditLog.organizationId,
    person: auditLog.principalId,
    export: [
      ...(['id', 'at', 'organizationId', 'principalId', 'principalType', 'credentialKind', 'onBehalfOf'] as const),
      ...(['operation', 'outcome', 'objectKind', 'objectId', 'before', 'after', 'address', 'requestId'] as const),
    ],
    erasure: { organization: 'keep', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(mails, {
    export: { never: 'It went to its recipient.' },
    erasure: {},
    retention: { job: 'platform.forget-mails' },
  }),
  tenantTable(idempotencyKeys, {
    export: { never: 'It lasts for a day, and repeats a response.' },
    erasure: {},
    retention: { job: 'platform.forget-spent' },
  }),
  tenantTable(rateLimits, {
    export: { never: 'It lasts for minutes.' },
    erasure: {},
    retention: { job: 'platform.forget-spent' },
  }),
  tenantTable(liveTokens, {
    export: { never: 'It lasts for a minute.' },
    erasure: {},
    retention: { job: 'platform.forget-spent' },
  }),
  tenantTable(receivedWebhooks, {
    export: { never: 'It was sent to the platform by a provider, and is kept for 90 days.' },
    erasure: {},
    retention: { job: 'platform.forget-received-webhooks' },
  }),
  tenantTable(raisedActions, {
    organization: raisedActions.organizationId,
    export: ['id', 'organizationId', 'cause', 'title', 'reason', 'href', 'actions', 'raisedAt', 'resolvedAt'],
    erasure: { organization: 'delete' },
    retention: { job: 'platform.forget-spent' },
  }),
  tenantTable(webhookEndpoints, {
    organization: webhookEndpoints.organizationId,
    export: ['id', 'organizationId', 'name', 'url', 'events', 'state', 'createdAt', 'updatedAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(webhookMessages, {
    organization: webhookMessages.organizationId,
    export: { never: 'It was sent to the organization itself, and is kept for 30 days.' },
    erasure: { organization: 'delete' },
    retention: { job: 'platform.forget-webhooks' },
  }),
  tenantTable(webhookDeliveries, {
    export: { never: 'It is kept for 30 days, with its message.' },
    erasure: { organization: 'cascade' },
    retention: { job: 'platform.forget-webhooks' },
  }),
  tenantTable(webhookAttempts, {
    export: { never: 'It is kept for 30 days, with its message.' },
    erasure: { organization: 'cascade' },
    retention: { job: 'platform.forget-webhooks' },
  }),
]
