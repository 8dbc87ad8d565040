import { eq, sql } from 'drizzle-orm'
import { tenantTable, type ErasureWork, type TenantData } from '#lib/tenant-data.ts'
import { accountCharts, closedPeriods } from '../schema.ts'

/** The trigger of the table allows this only for rows of the organization in the setting. */
const eraseClosedPeriods = ({ database }: ErasureWork, organizationId: string): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.execute(sql`SELECT set_config('atrium.erased_tenant', ${organizationId}, true)`)
    await tx.delete(closedPeriods).where(eq(closedPeriods.organizationId, organizationId))
  })

export const reportsData: readonly TenantData[] = [
  tenantTable(closedPeriods, {
    organization: closedPeriods.organizationId,
    export: ['merchantId', 'month', 'organizationId', 'closedAt', 'closedBy', 'sequence', 'hash'],
    erasure: { organization: eraseClosedPeriods, person: 'keep' },
    retention: 'owner',
  }),
  tenantTable(accountCharts, {
    organization: accountCharts.organizationId,
    export: ['organizationId', 'accounts', 'rates', 'version', 'updatedBy', 'updatedAt'],
    erasure: { organization: 'delete', person: 'keep' },
    retention: 'owner',
  }),
]
