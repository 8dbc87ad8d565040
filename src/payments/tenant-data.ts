import { customersData } from './customers/tenant-data.ts'
import { erasureData } from './erasure/tenant-data.ts'
import { invoicesData } from './invoices/tenant-data.ts'
import { ledgerData } from './ledger/tenant-data.ts'
import { merchantsData } from './merchants/tenant-data.ts'
import { movementsData } from './movements/tenant-data.ts'
import { ordersData } from './orders/tenant-data.ts'
import { reconciliationData } from './reconciliation/tenant-data.ts'
import { reportsData } from './reports/tenant-data.ts'
import { settlementsData } from './settlements/tenant-data.ts'
import { subscriptionsData } from './subscriptions/tenant-data.ts'
import { webhooksData } from './webhooks/tenant-data.ts'
import type { TenantData } from '#lib/tenant-data.ts'

/** Erasure follows their order. */
export const paymentsData: readonly TenantData[] = [
  ...settlementsData,
  ...movementsData,
  ...reconciliationData,
  ...ledgerData,
  ...invoicesData,
  ...reportsData,
  ...ordersData,
  ...customersData,
  ...merchantsData,
  ...subscriptionsData,
  ...webhooksData,
  ...erasureData,
]
