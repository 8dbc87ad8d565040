import { ordersData } from './orders/tenant-data.ts'
import type { TenantData } from '#lib/tenant-data.ts'

/** Erasure follows their order. */
export const paymentsData: readonly TenantData[] = [...ordersData]
