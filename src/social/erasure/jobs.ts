import { erasureJob } from '#identity'
import { eraseOrganizationData, erasePersonData } from '#lib/tenant-data/erase.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { socialData } from '../tenant-data.ts'

export const eraseOrganizations = erasureJob({
  service: 'platform-socialize',
  name: 'social.erase-organizations',
  erase: (work, id) => eraseOrganizationData(work, [...socialData, ...ownData], id),
  eraseAccount: (work, id) => erasePersonData(work, [...socialData, ...ownData], id),
})

export const deleteExpired = expiryJob('social.delete-expired', socialData)
