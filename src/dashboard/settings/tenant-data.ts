import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { dashboardSettings } from '../schema.ts'

export const settingsData: readonly TenantData[] = [
  tenantTable(dashboardSettings, {
    organization: dashboardSettings.organizationId,
    export: ['organizationId', 'widgets', 'createdAt', 'updatedAt'],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
