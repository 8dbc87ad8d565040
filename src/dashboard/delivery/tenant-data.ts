import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { chatWebhooks, notificationDeliveries, notificationPreferences, pushSubscriptions } from '../schema.ts'

const dayMs = 24 * 60 * 60_000

export const deliveryData: readonly TenantData[] = [
  tenantTable(notificationDeliveries, {
    organization: notificationDeliveries.organizationId,
    person: notificationDeliveries.personId,
    export: [
      ...(['id', 'organizationId', 'notificationId', 'channel', 'personId', 'state', 'dueAt', 'attempts'] as const),
      ...(['problem', 'createdAt', 'settledAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'delete' },
    // Longer than a notification is open without being told of, so that none is sent twice.
    retention: { after: notificationDeliveries.settledAt, ms: 90 * dayMs },
  }),
  tenantTable(notificationPreferences, {
    organization: notificationPreferences.organizationId,
    person: notificationPreferences.personId,
    export: [
      ...([
        'id',
        'organizationId',
        'personId',
        'email',
        'push',
        'choices',
        'frequency',
        'dailyAt',
        'timeZone',
      ] as const),
      ...(['quietHours', 'quietFrom', 'quietUntil', 'quietDays', 'createdAt', 'updatedAt'] as const),
    ],
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
  tenantTable(chatWebhooks, {
    organization: chatWebhooks.organizationId,
    export: [
      ...(['id', 'organizationId', 'format', 'hint', 'choices', 'enabled', 'failures', 'problem'] as const),
      ...(['lastDeliveredAt', 'createdAt', 'updatedAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(pushSubscriptions, {
    person: pushSubscriptions.personId,
    export: ['id', 'browser', 'lastSentAt', 'createdAt'],
    erasure: { person: 'delete' },
    retention: 'owner',
  }),
]
