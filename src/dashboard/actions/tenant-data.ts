import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { notifications, notificationSnoozes } from '../schema.ts'
import { erasePersonOfNotifications } from './erase-person.ts'

const dayMs = 24 * 60 * 60_000

export const actionsData: readonly TenantData[] = [
  tenantTable(notificationSnoozes, {
    organization: notificationSnoozes.organizationId,
    person: notificationSnoozes.personId,
    export: ['notificationId', 'organizationId', 'until'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: notificationSnoozes.until, ms: 0 },
  }),
  tenantTable(notifications, {
    organization: notifications.organizationId,
    person: notifications.personId,
    export: [
      ...(['id', 'organizationId', 'surface', 'service', 'kind', 'cause', 'title', 'reason', 'href'] as const),
      ...(['actions', 'dueAt', 'raisedAt', 'resolvedAt', 'resolvedBy', 'assigneeId', 'postedBy'] as const),
    ],
    erasure: { organization: 'delete', person: erasePersonOfNotifications },
    retention: { after: notifications.resolvedAt, ms: 90 * dayMs },
  }),
]
