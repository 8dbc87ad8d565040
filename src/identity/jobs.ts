import { z } from 'zod'
import { job } from '#lib/job.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { remindOfExpiringKeys } from './api-keys/reminders.ts'
import { recheckDomains } from './domains/recheck.ts'
import { rotateSigningKeys } from './keys.ts'
import { identityData } from './tenant-data.ts'

/** Changes the key that signs tokens, when it is time. */
export const rotateKeys = job({
  name: 'identity.rotate-keys',
  input: z.object({}),
  run: ({ database, secrets, now }) => rotateSigningKeys({ db: database.db, secrets, now }),
})

/** Tells people of keys of theirs that end soon. */
export const remindOfKeys = job({
  name: 'identity.remind-of-keys',
  input: z.object({}),
  run: remindOfExpiringKeys,
})

/** Checks the DNS records of verified e-mail domains again. */
export const recheckOrganizationDomains = job({
  name: 'identity.recheck-domains',
  input: z.object({}),
  run: recheckDomains,
})

/** Deletes rows after their retention. */
export const deleteExpired = expiryJob('identity.forget-expired', identityData)
