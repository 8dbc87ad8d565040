import { z } from 'zod'
import { job } from '#lib/job.ts'
import { recheckDomains } from './recheck.ts'

export const recheckOrganizationDomains = job({
  name: 'identity.recheck-domains',
  input: z.object({}),
  run: recheckDomains,
})
