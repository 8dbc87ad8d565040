import { sql } from 'drizzle-orm'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { emailEvents, emailMessages, emailRecipients, emailSuppressions, emailTemplates } from '../schema.ts'

const day = 24 * 60 * 60_000

const messagesOf = (organizationId: string) =>
  sql`SELECT ${emailMessages.id} FROM ${emailMessages} WHERE ${emailMessages.organizationId} = ${organizationId}`

export const emailData: readonly TenantData[] = [
  tenantTable(emailEvents, {
    organization: (id) => sql`${emailEvents.messageId} IN (${messagesOf(id)})`,
    export: [
      ...([
        'id',
        'messageId',
        'address',
        'type',
        'at',
        'endedAt',
        'outcome',
        'server',
        'encryption',
        'response',
      ] as const),
    ],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(emailRecipients, {
    organization: emailRecipients.organizationId,
    export: ['id', 'messageId', 'address', 'field', 'state', 'response', 'createdAt', 'settledAt'],
    erasure: { organization: 'cascade' },
    retention: 'owner',
  }),
  tenantTable(emailMessages, {
    organization: emailMessages.organizationId,
    export: [
      ...(['id', 'organizationId', 'applicationId', 'apiKeyId', 'userId', 'service', 'test', 'senderId'] as const),
      ...(['fromAddress', 'fromName', 'replyTo', 'subject', 'template', 'attachments', 'state', 'attempts'] as const),
      ...(['provider', 'providerMessageId', 'costNanoUsd', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'keep' },
    retention: { after: emailMessages.createdAt, ms: 30 * day },
  }),
  tenantTable(emailSuppressions, {
    organization: emailSuppressions.organizationId,
    export: ['id', 'organizationId', 'address', 'reason', 'detail', 'messageId', 'createdBy', 'createdAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(emailTemplates, {
    organization: emailTemplates.organizationId,
    export: ['id', 'organizationId', 'name', 'subject', 'text', 'html', 'createdBy', 'createdAt', 'updatedAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
