import { ownData } from '#lib/tenant-data/own.ts'
import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { exports } from './schema.ts'

export const platformData: readonly TenantData[] = [
  ...ownData,
  tenantTable(exports, {
    organization: exports.organizationId,
    person: exports.requestedBy,
    export: { never: 'It is itself an export.' },
    erasure: { organization: 'expire', person: 'expire' },
    retention: { job: 'platform.sweep-exports' },
  }),
]
