import { expiryJob } from '../tenant-data/expire.ts'
import { ownData } from '../tenant-data/own.ts'

export const deleteExpired = expiryJob('platform.delete-expired', ownData)
