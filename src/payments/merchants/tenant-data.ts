import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { merchants, venues } from '../schema.ts'

export const merchantsData: readonly TenantData[] = [
  tenantTable(venues, {
    organization: venues.organizationId,
    export: [
      ...(['id', 'organizationId', 'merchantId', 'name', 'address', 'timezone', 'archivedAt', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
  tenantTable(merchants, {
    organization: merchants.organizationId,
    export: [
      ...(['id', 'organizationId', 'name', 'legalName', 'address', 'taxNumber', 'invoicePrefix', 'timezone'] as const),
      ...(['defaultCurrency', 'isDefault', 'archivedAt', 'createdAt'] as const),
    ],
    erasure: { organization: 'delete' },
    retention: 'owner',
  }),
]
