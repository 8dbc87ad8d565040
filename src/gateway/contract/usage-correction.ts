import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { UnitsInput } from '#lib/money.ts'

export const UsageCorrection = z.object({
  id: Id,
  organizationId: Id.optional().describe('For super admins: another organization.'),
  costNanoUsd: z
    .int('Must be a whole number of nano-USD (1 USD is 1000000000).')
    .min(0, 'Must be 0 or more.')
    .pipe(UnitsInput)
    .describe('What the provider really billed: at most what the record counts.'),
})
export type UsageCorrection = z.output<typeof UsageCorrection>
