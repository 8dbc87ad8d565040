import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { Day } from '#lib/time.ts'
import { Family, Payer } from './families.ts'

export const rangeInput = {
  from: Day.optional().describe('The first day, in UTC. By default 29 days before the last one.'),
  to: Day.optional().describe('The last day, in UTC. By default today.'),
  organizationId: z
    .union([Id, z.literal('all')])
    .optional()
    .describe('For super admins: another organization, or all.'),
}

const text = plainText(200).optional()

export const filterInput = {
  applicationId: text,
  apiKeyId: Id.optional(),
  userId: text,
  family: Family.optional(),
  provider: text,
  model: text,
  unit: text,
  paidBy: Payer.optional(),
}
