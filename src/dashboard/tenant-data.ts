import type { TenantData } from '#lib/tenant-data.ts'
import { actionsData } from './actions/tenant-data.ts'
import { deliveryData } from './delivery/tenant-data.ts'
import { checkoutData } from './checkout/tenant-data.ts'
import { gridData } from './grid/tenant-data.ts'
import { launchData } from './launches/tenant-data.ts'
import { marketingData } from './marketing/tenant-data.ts'
import { settingsData } from './settings/tenant-data.ts'
import { workflowsData } from './workflows/tenant-data.ts'

/** Erasure follows their order. */
export const dashboardData: readonly TenantData[] = [
  ...deliveryData,
  ...actionsData,
  ...gridData,
  ...launchData,
  ...settingsData,
  ...workflowsData,
  ...checkoutData,
  ...marketingData,
]
