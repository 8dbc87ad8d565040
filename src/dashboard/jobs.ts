import { erasureJob } from '#identity'
import { eraseOrganizationData, erasePersonData } from '#lib/tenant-data/erase.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { dashboardData } from './tenant-data.ts'

export const eraseOrganizations = erasureJob({
  service: 'platform-dashboard-api',
  name: 'dashboard.erase-organizations',
  erase: (work, id) => eraseOrganizationData(work, [...dashboardData, ...ownData], id),
  eraseAccount: (work, id) => erasePersonData(work, [...dashboardData, ...ownData], id),
})

export const deleteExpired = expiryJob('dashboard.delete-expired', dashboardData)
