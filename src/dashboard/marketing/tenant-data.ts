import { tenantTable, type TenantData } from '#lib/tenant-data.ts'
import { adminSessions } from '../schema.ts'

/** What visitors sent belongs to no organization or account. */
export const marketingData: readonly TenantData[] = [
  tenantTable(adminSessions, {
    person: adminSessions.personId,
    export: ['personId', 'createdAt', 'expiresAt'],
    erasure: { person: 'delete' },
    retention: { after: adminSessions.expiresAt, ms: 0 },
  }),
]
