import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { movementAccounts, openMovements } from '../schema.ts'

export const movementsData: readonly TenantData[] = [
  tenantTable(movementAccounts, {
    organization: movementAccounts.organizationId,
    export: ['organizationId', 'account', 'readUntil', 'openedAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(openMovements, {
    organization: openMovements.organizationId,
    export: ['organizationId', 'account', 'transactionId', 'checks', 'dueAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
