import { eraseOrganizationValues, erasePersonalValues } from '../audit/erase-values.ts'
import {
  auditLog,
  eventSubscriptions,
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

const minute = 60_000
const day = 24 * 60 * minute

export const ownData: readonly TenantData[] = [
  tenantTable(auditLog, {
    organization: auditLog.organizationId,
    person: auditLog.principalId,
    export: [
      ...(['id', 'at', 'organizationId', 'principalId', 'principalType', 'credentialKind', 'onBehalfOf'] as const),
      ...([
        'service',
        'operation',
        'outcome',
        'objectKind',
        'objectId',
        'before',
        'after',
        'address',
        'requestId',
      ] as const),
    ],
    // What others wrote is in them, and a person keeps no right to it after leaving the organization.
    organizationOnly: { fields: ['before', 'after'], organization: auditLog.organizationId },
    erasure: {
      organization: eraseOrganizationValues,
      person: ({ database }, id) => database.transaction((tx) => erasePersonalValues(tx, id)),
    },
    retention: 'owner',
  }),
  tenantTable(mails, {
    export: { never: 'The email was sent to its recipient.' },
    erasure: {},
    retention: { after: mails.createdAt, ms: 30 * day },
  }),
  tenantTable(idempotencyKeys, {
    export: { never: 'It is a copy of a response and is deleted after a day.' },
    erasure: {},
    retention: { after: idempotencyKeys.expiresAt, ms: 0 },
  }),
  tenantTable(rateLimits, {
    export: { never: 'It is deleted after a few minutes.' },
    erasure: {},
    // The database's clock decides when a window is over.
    retention: { after: rateLimits.resetsAt, ms: minute },
  }),
  tenantTable(liveTokens, {
    export: { never: 'It is deleted after a minute.' },
    erasure: {},
    retention: { after: liveTokens.expiresAt, ms: 0 },
  }),
  tenantTable(receivedWebhooks, {
    organization: receivedWebhooks.organizationId,
    export: { never: 'A provider sent it to the platform. It is deleted after 90 days.' },
    erasure: { organization: 'delete' },
    retention: { after: receivedWebhooks.receivedAt, ms: 90 * day },
  }),
  tenantTable(raisedActions, {
    organization: raisedActions.organizationId,
    person: raisedActions.personId,
    export: [
      ...(['id', 'organizationId', 'surface', 'service', 'kind', 'cause', 'title', 'reason', 'href'] as const),
      ...(['actions', 'dueAt', 'raisedAt', 'resolvedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: raisedActions.resolvedAt, ms: 90 * day },
  }),
  tenantTable(eventSubscriptions, {
    organization: eventSubscriptions.organizationId,
    export: { never: 'What it belongs to is exported with its trigger.' },
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(webhookEndpoints, {
    organization: webhookEndpoints.organizationId,
    export: ['id', 'organizationId', 'name', 'url', 'events', 'state', 'createdAt', 'updatedAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(webhookMessages, {
    organization: webhookMessages.organizationId,
    export: { never: 'It was sent to the organization. It is deleted after 30 days.' },
    erasure: { organization: 'delete' },
    retention: { after: webhookMessages.createdAt, ms: 30 * day },
  }),
  tenantTable(webhookDeliveries, {
    export: { never: 'It is deleted with its message after 30 days.' },
    erasure: { organization: 'cascade' },
    retention: { job: 'platform.delete-expired' },
  }),
  tenantTable(webhookAttempts, {
    export: { never: 'It is deleted with its message after 30 days.' },
    erasure: { organization: 'cascade' },
    retention: { job: 'platform.delete-expired' },
  }),
]
