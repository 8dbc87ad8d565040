import { expiryJob } from './tenant-data/expire.ts'
import { ownData } from './tenant-data/own.ts'

/** Deletes what the kernel keeps for a while: mails, webhooks' messages, repeated answers, allowances, live tokens. */
export const deleteExpired = expiryJob('platform.delete-expired', ownData)
