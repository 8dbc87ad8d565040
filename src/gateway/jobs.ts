import { erasureJob } from '#identity'
import { eraseOrganizationData, erasePersonData } from '#lib/tenant-data/erase.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { gatewayData } from './tenant-data.ts'

export const eraseOrganizations = erasureJob({
  service: 'platform-gateway',
  name: 'gateway.erase-organizations',
  erase: (work, id) => eraseOrganizationData(work, [...gatewayData, ...ownData], id),
  eraseAccount: (work, id) => erasePersonData(work, [...gatewayData, ...ownData], id),
})

export const deleteExpired = expiryJob('gateway.delete-expired', gatewayData)
