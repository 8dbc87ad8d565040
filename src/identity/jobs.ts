import { expiryJob } from '#lib/tenant-data/expire.ts'
import { identityData } from './tenant-data/index.ts'

export const deleteExpired = expiryJob('identity.delete-expired', identityData)
