import { ledgerData } from './ledger/tenant-data.ts'
import { ordersData } from './orders/tenant-data.ts'
import { settlementsData } from './settlements/tenant-data.ts'
import { webhooksData } from './webhooks/tenant-data.ts'
import type { TenantData } from '#lib/tenant-data.ts'

/** Erasure follows their order. */
export const paymentsData: readonly TenantData[] = [...settlementsData, ...ledgerData, ...ordersData, ...webhooksData]
