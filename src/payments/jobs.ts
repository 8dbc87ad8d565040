import { erasureJob } from '#identity'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { paymentsData } from './tenant-data.ts'

export const eraseOrganizations = erasureJob({
  service: 'platform-pay',
  name: 'payments.erase-organizations',
  erase: (work, id) => eraseOrganizationData(work, [...paymentsData, ...ownData], id),
})

export const deleteExpired = expiryJob('payments.delete-expired', paymentsData)
