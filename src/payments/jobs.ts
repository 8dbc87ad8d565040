import { erasureJob } from '#identity'
import { eraseOrganizationData, erasePersonData } from '#lib/tenant-data/erase.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { ownData } from '#lib/tenant-data/own.ts'
import { leaveProvider } from './erasure/leave-provider.ts'
import { paymentsData } from './tenant-data.ts'

const name = 'payments.erase-organizations'

export const eraseOrganizations = erasureJob({
  service: 'platform-pay',
  name,
  erase: async (work, id) => {
    await leaveProvider(work, id, name)
    await eraseOrganizationData(work, [...paymentsData, ...ownData], id)
  },
  eraseAccount: (work, id) => erasePersonData(work, [...paymentsData, ...ownData], id),
})

export const deleteExpired = expiryJob('payments.delete-expired', paymentsData)
