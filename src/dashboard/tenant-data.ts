import type { TenantData } from '#lib/tenant-data.ts'
import { actionsData } from './actions/tenant-data.ts'

/** Erasure follows their order. */
export const dashboardData: readonly TenantData[] = [...actionsData]
