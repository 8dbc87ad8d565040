import { z } from 'zod'
import { job } from '#lib/job.ts'
import { expiryJob } from '#lib/tenant-data/expire.ts'
import { remindOfExpiringKeys } from './api-keys/reminders.ts'
import { recheckDomains } from './organizations/domains/recheck.ts'
import { rotateSigningKeys } from './tokens/signing-keys.ts'
import { identityData } from './tenant-data.ts'

/** Publishes the next token signing key when it is due. */
export const rotateKeys = job({
  name: 'identity.rotate-keys',
  input: z.object({}),
  run: ({ database, secrets, now }) => rotateSigningKeys({ db: database.db, secrets, now }),
})

/** Mails owners of API keys that expire soon. */
export const remindOfKeys = job({
  name: 'identity.remind-of-keys',
  input: z.object({}),
  run: remindOfExpiringKeys,
})

/** Checks the DNS records of verified email domains. */
export const recheckOrganizationDomains = job({
  name: 'identity.recheck-domains',
  input: z.object({}),
  run: recheckDomains,
})

export const deleteExpired = expiryJob('identity.forget-expired', identityData)
