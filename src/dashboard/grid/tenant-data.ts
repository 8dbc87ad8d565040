import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { layouts } from '../schema.ts'

/** Members who leave and return find their layout as it was. */
export const gridData: readonly TenantData[] = [
  tenantTable(layouts, {
    organization: layouts.organizationId,
    person: layouts.personId,
    export: ['organizationId', 'personId', 'widgets', 'createdAt', 'updatedAt'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: 'owner',
  }),
]
