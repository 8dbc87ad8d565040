import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { closings } from '../schema.ts'

export const erasureData: readonly TenantData[] = [
  tenantTable(closings, {
    organization: closings.organizationId,
    export: { never: 'It only exists while the organization is erased.' },
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
