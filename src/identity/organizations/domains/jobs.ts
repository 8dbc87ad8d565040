import { z } from 'zod'
import { job } from '#lib/job.ts'
import { recheckDomains } from './recheck.ts'

/** Checks the DNS records of verified email domains. */
export const recheckOrganizationDomains = job({
  name: 'identity.recheck-domains',
  input: z.object({}),
  run: recheckDomains,
})
