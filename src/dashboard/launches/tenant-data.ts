import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { launches } from '../schema.ts'

const day = 86_400_000

export const launchData: readonly TenantData[] = [
  tenantTable(launches, {
    organization: launches.organizationId,
    person: launches.personId,
    export: ['organizationId', 'personId', 'serviceId', 'surface', 'outcome', 'problem', 'createdAt'],
    erasure: { organization: 'delete', person: 'delete' },
    retention: { after: launches.createdAt, ms: 90 * day },
  }),
]
