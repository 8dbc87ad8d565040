import { expiryJob } from '../tenant-data/expire.ts'
import { ownData } from '../tenant-data/own.ts'

/** Deletes expired rows of `lib`'s own tables: mails, webhook messages, idempotency keys, rate limits, live tokens. */
export const deleteExpired = expiryJob('platform.delete-expired', ownData)
