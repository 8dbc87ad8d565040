import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { notifications } from '../schema.ts'

const dayMs = 24 * 60 * 60_000

export const actionsData: readonly TenantData[] = [
  tenantTable(notifications, {
    organization: notifications.organizationId,
    person: notifications.personId,
    export: [
      ...(['id', 'organizationId', 'surface', 'service', 'kind', 'cause', 'title', 'reason', 'href'] as const),
      ...(['actions', 'dueAt', 'raisedAt', 'resolvedAt', 'resolvedBy', 'assigneeId'] as const),
    ],
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: notifications.resolvedAt, ms: 90 * dayMs },
  }),
]
